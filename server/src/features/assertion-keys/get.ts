// Reads one assertion key.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type AssertionKey, showAssertionKey } from './assertion-key.ts';
import { selectAssertionKey } from './store.ts';

export async function getAssertionKey(app: App, caller: Caller, id: string): Promise<AssertionKey> {
  const row = await selectAssertionKey(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showAssertionKey(row);
}
