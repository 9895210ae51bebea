// Reads Markdown pages: their code blocks, headings and links.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

export const readPage = (page: string) => readFileSync(join(root, page), 'utf8');

/** Every page of the project, relative to its root. */
export const pages = globSync(['*.md', '{bench,dashboard,deploy,docs,cli,examples,sdk,server}/**/*.md'], {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).sort();

export type Block = {
  page: string;
  line: number;
  /** What follows the opening fence: `sh server`. */
  info: string;
  text: string;
  /** The block begins right after the previous one, apart from blank lines. */
  follows: boolean;
};

/** `rest` is the page with blank lines instead of its blocks. */
export function splitPage(page: string, text = readPage(page)): { blocks: Block[]; rest: string } {
  const blocks: Block[] = [];
  let end = -1;
  const rest = text.replace(
    /^( *)(`{3,}|~{3,})(.*)\n([\s\S]*?)^ *\2 *$/gm,
    (all: string, indent: string, _fence: string, info: string, body: string, at: number) => {
      const lines = body.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      const follows = end >= 0 && text.slice(end, at).trim() === '';
      end = at + all.length;
      const line = text.slice(0, at).split('\n').length;
      blocks.push({ page, line, info: info.trim(), text: lines.join('\n'), follows });
      return all.replace(/[^\n]/g, '');
    },
  );
  return { blocks, rest };
}

/** The anchors that GitHub makes of the headings; a repeated heading gets a number. */
export function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of splitPage(page).rest.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count ? `${slug}-${count}` : slug);
  }
  return anchors;
}

/** The targets of inline links and of link definitions, without those in code. */
export function linksOf(page: string): string[] {
  const prose = splitPage(page).rest.replace(/`[^`\n]*`/g, 'code');
  return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/gm)].map(
    ([, inline, defined]) => inline ?? defined ?? '',
  );
}
