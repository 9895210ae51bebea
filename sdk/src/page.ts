// Lists: one page, and an iterator over all pages.

import type { Api, Call, ResponseOf, Route } from './api.ts';
import type { IdsOf } from './path.ts';
import type { ListOf } from './types.ts';

/** One page of a list. Iterating over it continues with the following pages, newest entries first. */
export type Page<T> = AsyncIterable<T> & {
  data: T[];
  hasMore: boolean;
  /** For `list({ cursor })`; null on the last page. */
  nextCursor: string | null;
};

/** `await` it for the first page, or iterate over all entries: `for await (const tool of client.customTools.list())`. */
export type List<T> = Promise<Page<T>> & AsyncIterable<T>;

/** The routes that return lists. */
type ListRoute = { [R in Route]: ResponseOf<R> extends ListOf<unknown> ? R : never }[Route];

type EntryOf<R extends ListRoute> = ResponseOf<R>['data'][number];

export function list<R extends ListRoute>(api: Api, route: R, ids: IdsOf<R>, call: Call<R>): List<EntryOf<R>> {
  const page = fetchPage(api, route, ids, call);
  return Object.assign(page, {
    async *[Symbol.asyncIterator]() {
      yield* await page;
    },
  });
}

async function fetchPage<R extends ListRoute>(
  api: Api,
  route: R,
  ids: IdsOf<R>,
  call: Call<R>,
): Promise<Page<EntryOf<R>>> {
  const response = await api.send(route, ids, call);
  const page = { data: response.data, hasMore: response.has_more, nextCursor: response.next_cursor };
  const next = (cursor: string) => fetchPage(api, route, ids, { ...call, cursor });
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
