// Pages to read beside the API reference, with links between them. They change with the version of the server only.

import { hash } from 'node:crypto';
import type { Server } from '../api/route.ts';
import { type Html, html } from '../pages/html.ts';
import { pageHeaders, pageText } from '../pages/page.ts';

const CACHE_CONTROL = 'public, max-age=3600';

const PAGES = [
  ['/docs', 'API reference'],
  ['/docs/errors', 'Errors'],
  ['/docs/changelog', 'Changelog'],
] as const;

type ReadingPage = {
  path: '/docs/errors' | '/docs/changelog';
  title: string;
  content: Html;
  /** Without the dashboard there is no API reference either. */
  has_reference: boolean;
};

export function serveReadingPage(server: Server, { path, title, content, has_reference }: ReadingPage): void {
  const linked = html`${linksFrom(path, has_reference)}\n${content}`;
  const page = { status: 200, title, content: linked, form_targets: [], is_wide: true };
  const body = pageText(page);
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  const headers = { ...pageHeaders(page), etag, 'cache-control': CACHE_CONTROL };
  server.get(path, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers(headers);
    // A proxy that compresses the page makes the tag a weak one.
    const isKnown = request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
    return isKnown ? reply.code(304).send() : reply.send(body);
  });
}

function linksFrom(path: string, has_reference: boolean): Html {
  const links = PAGES.slice(has_reference ? 0 : 1).map(([href, name], index) => {
    const separator = index === 0 ? null : ' · ';
    return href === path
      ? html`${separator}<a href="${href}" aria-current="page">${name}</a>`
      : html`${separator}<a href="${href}">${name}</a>`;
  });
  return html`<nav aria-label="Documentation"><p class="small">${links}</p></nav>`;
}
