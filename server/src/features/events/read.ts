// Reads one event, if the caller may.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type Event, showEvent } from './event.ts';
import { mayRead } from './readable.ts';
import { selectEvent } from './store.ts';

export async function readEvent(app: App, caller: Caller, id: string): Promise<Event> {
  const row = await selectEvent(app.database, projectOf(caller).id, id);
  if (!row || !mayRead(app, caller, row.type)) throw refuse.notFound();
  return showEvent(row);
}
