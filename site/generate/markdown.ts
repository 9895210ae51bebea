// Renders a Markdown file of the repository: the HTML of its page, its headings, and its text in sections for the search.

import { Marked } from 'marked';
import { escapeText } from './escape.ts';
import { highlight } from './highlight.ts';
import type { Links } from './links.ts';
import { createPictures } from './pictures.ts';

/** The parts of a token of marked that are used here; `items` are those of a list, `header` and `rows` those of a table. */
type Token = {
  type: string;
  text?: string;
  depth?: number;
  tokens?: Token[];
  items?: { tokens: Token[] }[];
  header?: Cell[];
  rows?: Cell[][];
};
type Cell = { tokens: Token[]; align: string | null };

export type Heading = { level: number; text: string; anchor: string };

/** What is below one heading. The text has no code; `code` is only searched. */
export type TextSection = { heading: Heading; text: string; code: string };

export type Rendered = { markup: string; headings: Heading[]; sections: TextSection[] };

export function renderMarkdown(text: string, links: Links): Rendered {
  const marked = new Marked({ async: false, gfm: true });
  const tokens = marked.lexer(text);
  const sections = sectionsOf(tokens as Token[]);
  const headings = sections.map(({ heading }) => heading);
  const renderer: object = createRenderer(links, headings[Symbol.iterator]());
  marked.use({ renderer });
  return { markup: marked.parser(tokens), headings, sections };
}

/** As GitHub names the anchor of a heading: links between the files use it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function sectionsOf(tokens: Token[]): TextSection[] {
  const sections: TextSection[] = [];
  const counts = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plainText(token);
      const name = anchorOf(text);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const anchor = count === 0 ? name : `${name}-${count}`;
      sections.push({ heading: { level: token.depth ?? 1, text, anchor }, text: '', code: '' });
    }
    const section = sections.at(-1);
    if (section === undefined || token.type === 'heading') continue;
    if (token.type === 'code') section.code += `${token.text}\n`;
    else section.text += `${plainText(token)} `;
  }
  return sections;
}

/** HTML has no text: it is a picture. */
function plainText({ type, text = '', tokens, items, header = [], rows = [] }: Token): string {
  if (type === 'html' || type === 'image' || type === 'space' || type === 'hr') return '';
  if (type === 'table') return [...header, ...rows.flat()].map(textOfAll).join(' ');
  if (items) return items.map(textOfAll).join(' ');
  return tokens ? textOfAll({ tokens }) : text;
}

const textOfAll = ({ tokens }: { tokens: Token[] }): string =>
  tokens.map(plainText).join(tokens.some(({ type }) => type === 'paragraph' || type === 'list') ? ' ' : '');

type Inline = { parser: { parseInline(tokens: Token[]): string } };

/** `headings` gives the anchor of each heading, in their order. */
function createRenderer(links: Links, headings: Iterator<Heading>) {
  const pictures = createPictures(links);
  return {
    ...pictures,
    heading(this: Inline, { depth, tokens }: { depth: number; tokens: Token[] }): string {
      const { anchor } = headings.next().value as Heading;
      // The heading itself is the link, so a link in it would be one inside of another.
      const inner = this.parser.parseInline(tokens).replace(/<\/?a\b[^>]*>/g, '');
      if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
      return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inner}</a></h${depth}>\n`;
    },
    link(this: Inline, { href, title, tokens }: { href: string; title?: string | null; tokens: Token[] }): string {
      const tip = title ? ` title="${escapeText(title)}"` : '';
      return `<a href="${escapeText(links.link(href))}"${tip}>${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text, lang = '' }: { text: string; lang?: string }): string {
      const [language = ''] = lang.split(/\s/);
      return `<div class="code"><pre><code>${highlight(text, language)}\n</code></pre></div>\n`;
    },
    table(this: Inline, { header, rows }: { header: Cell[]; rows: Cell[][] }): string {
      const cells = (row: Cell[], name: string) =>
        row.map(({ tokens, align }) => {
          const className = align ? ` class="${align}"` : '';
          return `<${name}${className}>${this.parser.parseInline(tokens)}</${name}>`;
        });
      const body = rows.map((row) => `<tr>${cells(row, 'td').join('')}</tr>`).join('\n');
      return `<div class="table"><table><thead><tr>${cells(header, 'th').join('')}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`;
    },
  };
}
