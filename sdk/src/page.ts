// Lists: one page, and an iterator over all pages.

import type { Api, Call } from './api.ts';

/** One page of a list. Iterating over it goes on with the pages that follow, newest entries first. */
export type Page<T> = AsyncIterable<T> & {
  data: T[];
  hasMore: boolean;
  /** For `list({ cursor })`; null on the last page. */
  nextCursor: string | null;
};

/** `await` it for the first page, or iterate over all entries: `for await (const tool of client.customTools.list())`. */
export type List<T> = Promise<Page<T>> & AsyncIterable<T>;

type ListAnswer<T> = { data: T[]; has_more: boolean; next_cursor: string | null };
type ListCall = Pick<Call, 'query' | 'options'> & { path: () => string };

/** `path` is a function, so that a missing id rejects the promise like every other error. */
export function list<T>(api: Api, call: ListCall): List<T> {
  const page = fetchPage<T>(api, call);
  return Object.assign(page, {
    async *[Symbol.asyncIterator]() {
      yield* await page;
    },
  });
}

async function fetchPage<T>(api: Api, { path, query, options }: ListCall): Promise<Page<T>> {
  const answer = await api.send<ListAnswer<T>>({ method: 'GET', path: path(), query, options });
  const page = { data: answer.data, hasMore: answer.has_more, nextCursor: answer.next_cursor };
  const next = (cursor: string) => fetchPage<T>(api, { path, query: { ...query, cursor }, options });
  return { ...page, [Symbol.asyncIterator]: () => entriesFrom(page, next) };
}

type PageData<T> = Omit<Page<T>, typeof Symbol.asyncIterator>;

/** Asks for a page only when its first entry is wanted. */
async function* entriesFrom<T>(first: PageData<T>, next: (cursor: string) => Promise<PageData<T>>) {
  let page = first;
  yield* page.data;
  while (page.nextCursor !== null) {
    page = await next(page.nextCursor);
    yield* page.data;
  }
}
