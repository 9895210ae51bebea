// The pages of the site in their order: docs/contents.json. A page is a Markdown file of the repository; the API reference is drawn
// from the OpenAPI document.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export type Page = {
  title: string;
  section: string;
  /** Null for the API reference. */
  file: string | null;
  /** On the server, such as `/docs/guides/first-tool`. */
  path: string;
};

export type Section = { title: string; pages: Page[] };

type Row = { title: string; file?: string; path?: string };
type Contents = { sections: { title: string; pages: Row[] }[]; redirects: Record<string, string> };

const contents: Contents = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8'));

export const sections: Section[] = contents.sections.map(({ title, pages }) => ({
  title,
  pages: pages.map((row) => ({ title: row.title, section: title, file: row.file ?? null, path: pathOf(row) })),
}));

export const pages: Page[] = sections.flatMap((section) => section.pages);

/** Where pages were before: old path to new path. */
export const redirects: Readonly<Record<string, string>> = contents.redirects;

/** `docs/` is the root of the site, and a README is the page of its folder. */
function pathOf({ file, path }: Row): string {
  if (path !== undefined) return `/docs/${path}`.replace(/\/$/, '');
  const [name = ''] = (file ?? '').toLowerCase().split('.md');
  return `/docs/${name.replace(/^docs\//, '')}`.replace(/\/readme$/, '');
}

const byFile = new Map(pages.map((page) => [page.file, page]));

export const pageOfFile = (file: string): Page | undefined => byFile.get(file);
