// Serves /projects/{id}/events and /event-types.

import type { Event } from '@toolgate/contract/events/event.ts';
import { eventRoutes } from '@toolgate/contract/events/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { listEventTypes, showEvent } from './event.ts';
import { mayRead, readableTypes } from './readable.ts';
import { pageOfEvents, selectEvent } from './store.ts';

export function serveEvents(server: Server, app: App): void {
  implement(server, app, eventRoutes, {
    listEvents: (app, { caller, query }) => listEvents(app, caller, query),
    getEvent: (app, { caller, params }) => readEvent(app, caller, params.event_id),
    listEventTypes: () => listEventTypes(),
  });
}

async function listEvents(
  app: App,
  caller: Caller,
  { type, ...page }: PageQuery & { type?: string | undefined },
): Promise<Page<Event>> {
  const filter = { type, readable: readableTypes(caller) };
  const found = await pageOfEvents(app.database, projectOf(caller).id, filter, page);
  return makePage(found, found.rows.map(showEvent));
}

async function readEvent(app: App, caller: Caller, id: string): Promise<Event> {
  const row = await getRow(app, caller, id, selectEvent);
  if (!mayRead(caller, row.type)) throw refuse.notFound();
  return showEvent(row);
}
