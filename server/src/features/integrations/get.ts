// Reads one integration.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type Integration, showIntegration } from './integration.ts';
import { selectIntegration } from './store.ts';

export async function getIntegration(app: App, caller: Caller, id: string): Promise<Integration> {
  const row = await selectIntegration(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showIntegration(row);
}
