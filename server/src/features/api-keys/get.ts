// Reads one key.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type ApiKey, showKey } from './api-key.ts';
import { selectKey } from './store.ts';

export async function getKey(app: App, caller: Caller, id: string): Promise<ApiKey> {
  const row = await selectKey(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showKey(row, app.now());
}
