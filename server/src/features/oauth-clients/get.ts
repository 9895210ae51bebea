// Reads one client.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type ClientAnswer, showClient } from './client.ts';
import { selectClient } from './store.ts';

export async function getClient(app: App, caller: Caller, id: string): Promise<ClientAnswer> {
  const row = await selectClient(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showClient(row, app.now());
}
