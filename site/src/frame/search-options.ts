// How pages are indexed and found: the build and the page have to agree.

import type { Options } from 'minisearch';

export type Entry = {
  /** The URL. */
  id: string;
  title: string;
  /** The title of its page; empty for the page itself. */
  page: string;
  text: string;
  /** Only searched, not shown. */
  code: string;
};

export const indexOptions: Options<Entry> = {
  fields: ['title', 'page', 'text', 'code'],
  storeFields: ['title', 'page', 'text'],
  searchOptions: {
    boost: { title: 6, page: 2, code: 0.5 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    // A page comes before its parts.
    boostDocument: (id) => (String(id).includes('#') ? 1 : 1.5),
  },
};
