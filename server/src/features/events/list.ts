// Lists the events of a project that the caller may read.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type Event, showEvent } from './event.ts';
import { readableTypes } from './readable.ts';
import { pageOfEvents } from './store.ts';

export async function listEvents(
  app: App,
  caller: Caller,
  { type, ...page }: PageQuery & { type?: string | undefined },
): Promise<Page<Event>> {
  const filter = { type, readable: readableTypes(app, caller) };
  const found = await pageOfEvents(app.database, projectOf(caller).id, filter, page);
  return { ...found, data: found.data.map(showEvent) };
}
