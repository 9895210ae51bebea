// Creates an API key from an integration: one that can create member sessions.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { createKey, type IssuedKey, type NewKey } from '../api-keys/create.ts';
import { lockIntegrationAgainstDelete } from './store.ts';

export async function createIntegrationKey(app: App, caller: Caller, id: string, input: NewKey): Promise<IssuedKey> {
  return transact(app, async (app) => {
    if (!(await lockIntegrationAgainstDelete(app.database, projectOf(caller).id, id))) throw refuse.notFound();
    return createKey(app, caller, { ...input, integration_id: id });
  });
}
