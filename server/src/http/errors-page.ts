// GET /docs/errors: what every error means and what to do. `docs_url` of an error leads here, so it works without the internet.

import { hash } from 'node:crypto';
import type { Server } from '../api/route.ts';
import { explainedCodes, explainedReasons } from '../error-reference.ts';
import { type Html, html } from '../pages/html.ts';
import { pageHeaders, pageText } from '../pages/page.ts';

/** It changes with the version of the server only. */
const CACHE_CONTROL = 'public, max-age=3600';

export function errorsPageRoutes(server: Server): void {
  const page = { status: 200, title: 'Errors of toolgate', content: content(), form_targets: [], is_wide: true };
  const body = pageText(page);
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  const headers = { ...pageHeaders(page), etag, 'cache-control': CACHE_CONTROL };
  server.get('/docs/errors', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers(headers);
    // A proxy that compresses the page makes the tag a weak one.
    const isKnown = request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
    return isKnown ? reply.code(304).send() : reply.send(body);
  });
}

const content = () => html`<h1>Errors</h1>
<p class="muted">What each error means and what to do about it. <code>error.docs_url</code> of a response leads to its entry, with the
words of this page; <code>error.details</code> may have more exact ones, with numbers and names.</p>
<nav aria-label="Parts of this page"><p><a href="#codes">Codes</a> · <a href="#reasons">Reasons</a></p></nav>
<section aria-labelledby="codes">
<h2 id="codes">Codes</h2>
<p class="muted">In <code>error.code</code>. Messages do not change.</p>
${explainedCodes.map(({ status, code, message, ...explained }) => entry(code, explained, html`<p>${String(status)} · ${message}</p>\n`))}</section>
<section aria-labelledby="reasons">
<h2 id="reasons">Reasons</h2>
<p class="muted">In <code>error.details.reason</code>, where it is more exact than the code. Errors of the MCP protocol have theirs in
<code>error.data.reason</code>.</p>
${explainedReasons.map((explained) => entry(explained.anchor, explained))}</section>`;

type Explained = { anchor: string; cause: string; remedy: string };

const entry = (name: string, { anchor, cause, remedy }: Explained, more: Html | null = null) =>
  html`<article id="${anchor}" aria-labelledby="${anchor}-name">
<h3 id="${anchor}-name"><a href="#${anchor}"><code>${name}</code></a></h3>
${more}<dl><dt>Cause</dt><dd>${cause}</dd><dt>What to do</dt><dd>${remedy}</dd></dl>
</article>
`;
