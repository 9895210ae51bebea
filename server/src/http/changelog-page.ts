// GET /docs/changelog: CHANGELOG.md as a page, so that people read what changed in the version that they run.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../api/route.ts';
import { type Html, html } from '../pages/html.ts';
import { serveReadingPage } from './reading-page.ts';

const FILE = join(import.meta.dirname, '../../../CHANGELOG.md');

/** A server that was packed without the file starts all the same. */
const NO_FILE = '# Changelog\n\nThis installation has no CHANGELOG.md.';

export function changelogPageRoutes(server: Server, has_reference: boolean): void {
  const content = renderChangelog(existsSync(FILE) ? readFileSync(FILE, 'utf8') : NO_FILE);
  serveReadingPage(server, { path: '/docs/changelog', title: 'Changelog of toolgate', content, has_reference });
}

type Block = { kind: 'h1' | 'h2' | 'h3' | 'item' | 'text'; text: string };

const KINDS = { '#': 'h1', '##': 'h2', '###': 'h3', '-': 'item' } as const;

/** Only what a changelog has: headings, lists, paragraphs, code and links. */
export function renderChangelog(markdown: string): Html {
  return html`${readBlocks(markdown).map(({ kind, text }, index, blocks) => {
    const content = renderInline(text);
    if (kind === 'h1') return html`<h1>${content}</h1>\n`;
    if (kind === 'h2') return html`<h2>${content}</h2>\n`;
    if (kind === 'h3') return html`<h3>${content}</h3>\n`;
    if (kind === 'text') return html`<p>${content}</p>\n`;
    const open = blocks[index - 1]?.kind === 'item' ? '' : '<ul>\n';
    const close = blocks[index + 1]?.kind === 'item' ? '' : '</ul>\n';
    return html`${{ markup: open }}<li>${content}</li>\n${{ markup: close }}`;
  })}`;
}

/** A line that begins neither a heading nor an item goes on with the block before, unless a blank line is between them. */
function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const [, mark, rest] = /^(#{1,3}|-) (.*)$/.exec(line) ?? [];
    const last = blocks.at(-1);
    if (mark !== undefined) blocks.push({ kind: KINDS[mark as keyof typeof KINDS], text: rest ?? '' });
    else if (line.trim() !== '' && isOpen && last) last.text += ` ${line.trim()}`;
    else if (line.trim() !== '') blocks.push({ kind: 'text', text: line.trim() });
    isOpen = line.trim() !== '';
  }
  return blocks;
}

/** Links into the repository are text: the files are not served. */
function renderInline(text: string): Html[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    const [, code] = /^`(.+)`$/.exec(part) ?? [];
    if (code !== undefined) return html`<code>${code}</code>`;
    const [, name, address = ''] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (name === undefined) return html`${part}`;
    return address.startsWith('https://') ? html`<a href="${address}">${name}</a>` : html`${renderInline(name)}`;
  });
}
