// The page while the dashboard is built. It loads itself again until the dashboard is there.

import { createHash } from 'node:crypto';

const RELOAD_SECONDS = 2;

const style =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:14px/20px system-ui,sans-serif;color-scheme:light dark}main{padding:1rem;max-width:26rem}h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:0}';
const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

export function waitingPage(hasFailed: boolean): { text: string; headers: Record<string, string> } {
  const [title, sentence] = hasFailed
    ? ['The dashboard could not be built', 'The log of the server says why. The API works.']
    : [
        'The dashboard is being built',
        'This takes a few seconds, once. The page loads itself again. The API works already.',
      ];
  const reload = hasFailed ? '' : `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">\n`;
  return {
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reload}<title>${title} · toolgate</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'retry-after': String(RELOAD_SECONDS),
    },
  };
}
