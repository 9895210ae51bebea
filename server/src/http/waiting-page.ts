// The page while the dashboard or the documentation is built. It opens what was asked for by itself when that is there.

import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Server } from '../api/route.ts';
import { headersOfPages } from './page-headers.ts';

const RETRY_SECONDS = 1;

const style =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:14px/20px system-ui,sans-serif;color-scheme:light dark}main{padding:1rem;max-width:26rem}h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:0}';
const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const WAITING_SCRIPT_PATH = '/waiting.js';

/**
 * Asks until the response is another one, then loads the page again. A meta refresh is not enough: for a URL with a fragment,
 * like the set-up link, browsers only scroll. A reload keeps the fragment. The page of a failed build sends no Retry-After.
 */
const waitingScript = `(() => {
  const ask = async () => {
    const response = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
    if (response && (response.status !== 503 || !response.headers.has('retry-after'))) location.reload();
    else setTimeout(ask, ${RETRY_SECONDS * 1000});
  };
  setTimeout(ask, ${RETRY_SECONDS * 1000});
})();
`;

const waitingHead = `<script src="${WAITING_SCRIPT_PATH}"></script>
<noscript><meta http-equiv="refresh" content="${RETRY_SECONDS}"></noscript>
`;

export function waitingRoutes(server: Server): void {
  server.get(WAITING_SCRIPT_PATH, { config: { access: 'public' }, schema: { hide: true } }, (_, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').send(waitingScript),
  );
}

/** `what`: such as `dashboard`. */
export function sendWaitingPage(reply: FastifyReply, what: string, has_failed: boolean): FastifyReply {
  const { text, headers } = waitingPage(what, has_failed);
  return reply
    .code(503)
    .headers({ ...headersOfPages, 'cache-control': 'no-store', ...headers })
    .send(text);
}

function waitingPage(what: string, has_failed: boolean): { text: string; headers: Record<string, string> } {
  const [title, sentence] = has_failed
    ? [`The ${what} could not be built`, 'See the server log for the reason. The API works.']
    : [
        `The ${what} is being built`,
        `This takes a few seconds, and happens only once. The ${what} then opens by itself. The API already works.`,
      ];
  return {
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${has_failed ? '' : waitingHead}<title>${title} · toolgate</title>
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
      'content-security-policy': `default-src 'none'; script-src 'self'; connect-src 'self'; style-src ${styleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...(has_failed ? {} : { 'retry-after': String(RETRY_SECONDS) }),
    },
  };
}
