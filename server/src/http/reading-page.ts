// Pages to read beside the API reference, with links between them. They change with the version of the server only, and are
// rendered at the first request.

import type { Server } from '../api/route.ts';
import { staticText } from '../api/static-file.ts';
import { type Html, html } from '../pages/html.ts';
import { pageHeaders, pageText } from '../pages/page.ts';

const CACHE_CONTROL = 'public, max-age=3600';

const PAGES = [
  ['/docs', 'API reference'],
  ['/docs/guides', 'Guides'],
  ['/docs/errors', 'Errors'],
  ['/docs/changelog', 'Changelog'],
] as const;

type ReadingPage = {
  path: string;
  /** Called for the first request of the page. */
  read(): Promise<{ title: string; content: Html }>;
  /** Without the dashboard there is no API reference either. */
  has_reference: boolean;
};

export function serveReadingPage(server: Server, { path, read, has_reference }: ReadingPage): void {
  const make = async () => {
    const { title, content } = await read();
    const linked = html`${linksFrom(path, has_reference)}\n${content}`;
    const page = { status: 200, title: `${title} · toolgate`, content: linked, form_targets: [], is_wide: true };
    return { text: pageText(page), content_type: 'text/html; charset=utf-8', cache_control: CACHE_CONTROL };
  };
  server.get(
    path,
    { config: { access: 'public' }, schema: { hide: true } },
    staticText(make, pageHeaders({ form_targets: [] })),
  );
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
