// Lists the events of a project that the caller may read.

import type { Event } from '@toolgate/contract/events/event.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showEvent } from './event.ts';
import { readableTypes } from './readable.ts';
import { pageOfEvents } from './store.ts';

export async function listEvents(
  app: App,
  caller: Caller,
  { type, ...page }: PageQuery & { type?: string | undefined },
): Promise<Page<Event>> {
  const filter = { type, readable: readableTypes(caller) };
  const found = await pageOfEvents(app.database, projectOf(caller).id, filter, page);
  return makePage(found, found.rows.map(showEvent));
}
