// The frame of every page: plain HTML without images, and without scripts but for the progress of an upload. It loads nothing but the fonts of this server.

import { type Html, html } from './html.ts';
import { style, styleSource } from './style.ts';

export type Page = {
  status: number;
  title: string;
  content: Html;
  /** Where the forms of the page may lead, in addition to this server and HTTPS: the loopback URL of an app. */
  form_targets: string[];
  /** With how Content-Security-Policy names it. The page works without it. */
  script?: { text: string; source: string };
};

export function pageText({ title, content, script }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
${content}
</main>${
    script
      ? html`
<script>${{ markup: script.text }}</script>`
      : null
  }
</body>
</html>
`.markup;
}

/**
 * A form leads to the provider and from there back to the app, by redirects, to which browsers apply form-action: so HTTPS
 * is allowed, and the app's URL if it is a loopback one.
 */
export function pageHeaders({ form_targets, script }: Pick<Page, 'form_targets' | 'script'>): Record<string, string> {
  const scripts = script ? ` script-src ${script.source}; connect-src 'self';` : '';
  const form_action = ["'self'", 'https:', ...form_targets].join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${styleSource}; font-src 'self';${scripts} form-action ${form_action}; frame-ancestors 'none'; base-uri 'none'`,
    'x-frame-options': 'DENY',
    // With `no-referrer` browsers send `Origin: null` with the forms. The full URL stays on this server.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
