// The index of the search: one entry for each heading of each page, and for each operation of the API.

import MiniSearch from 'minisearch';
import { type Entry, indexOptions } from '../src/frame/search-options.ts';
import type { TextSection } from './markdown.ts';

type IndexedPage = { title: string; path: string; sections: TextSection[] };

export function makeSearchIndex(pages: IndexedPage[], operations: Entry[]): string {
  const index = new MiniSearch<Entry>(indexOptions);
  index.addAll(pages.flatMap(entriesOf));
  index.addAll(operations);
  return JSON.stringify(index);
}

function entriesOf({ title, path, sections }: IndexedPage): Entry[] {
  return sections.map(({ heading, text, code }) => ({
    id: heading.level === 1 ? path : `${path}#${heading.anchor}`,
    title: heading.level === 1 ? title : heading.text,
    page: heading.level === 1 ? '' : title,
    text: text.replace(/\s+/g, ' ').trim(),
    code,
  }));
}
