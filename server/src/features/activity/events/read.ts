// Reads one event, if the caller may.

import type { Event } from '@toolgate/contract/events/event.ts';
import type { Caller } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { showEvent } from './event.ts';
import { mayRead } from './readable.ts';
import { selectEvent } from './store.ts';

export async function readEvent(app: App, caller: Caller, id: string): Promise<Event> {
  const row = await getRow(app, caller, id, selectEvent);
  if (!mayRead(caller, row.type)) throw refuse.notFound();
  return showEvent(row);
}
