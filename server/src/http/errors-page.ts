// GET /docs/errors: what every error means and what to do. `docs_url` of an error leads here, so it works without the internet.

import type { Server } from '../api/route.ts';
import { explainedCodes, explainedReasons } from '../errors/reference.ts';
import { type Html, html } from '../pages/html.ts';
import { serveReadingPage } from './reading-page.ts';

export function errorsPageRoutes(server: Server, has_reference: boolean): void {
  serveReadingPage(server, {
    path: '/docs/errors',
    read: async () => ({ title: 'Errors', content: content() }),
    has_reference,
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
