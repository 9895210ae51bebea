// Renders the Markdown files of this repository as HTML: the guides and the changelog. HTML in a file is shown as text, blocks of it
// and images are left out, so that a page loads nothing.

import { Marked, type Tokens } from 'marked';
import { type Html, html } from './html.ts';

/** Where a link of the file leads on this server; null if the target is not served: the link becomes text. */
export type ResolveLink = (address: string) => string | null;

export type RenderedMarkdown = { title: string; content: Html };

export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedMarkdown {
  const marked = new Marked({ async: false, gfm: true });
  marked.use({ renderer: { ...createRenderer(resolveLink) } });
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  return { title, content: { markup: marked.parse(text, { async: false }) } };
}

type Inline = { parser: { parseInline(tokens: unknown[]): string } };

function createRenderer(resolveLink: ResolveLink) {
  return {
    html: ({ text, block }: Tokens.HTML | Tokens.Tag) => (block ? '' : html`${text}`.markup),
    image: () => '',
    heading(this: Inline, { depth, tokens, text }: Tokens.Heading): string {
      const level = String(depth);
      const inner = { markup: this.parser.parseInline(tokens) };
      return html`<h${level} id="${anchorOf(text)}">${inner}</h${level}>\n`.markup;
    },
    link(this: Inline, { href, tokens }: Tokens.Link): string {
      const inner = { markup: this.parser.parseInline(tokens) };
      const address = href.startsWith('https://') || href.startsWith('#') ? href : resolveLink(href);
      return address === null ? inner.markup : html`<a href="${address}">${inner}</a>`.markup;
    },
    code({ text, lang }: Tokens.Code): string {
      // A diagram needs a script to be drawn.
      if (lang === 'mermaid') return '';
      // By line: a line break is a control character, which html shows as a mark.
      const lines = text.split('\n').map((line) => html`${line}`.markup);
      return html`<pre tabindex="0"><code>${{ markup: lines.join('\n') }}</code></pre>\n`.markup;
    },
  };
}

/** As GitHub names the anchor of a heading: links between the files use it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
