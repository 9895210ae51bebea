// Creates an API key from an integration: one that can create member sessions.

import type { ApiKeyRequest, NewApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { createKey } from '../api-keys/create.ts';
import { lockIntegrationAgainstDelete } from './store.ts';

export async function createIntegrationKey(
  app: App,
  caller: Caller,
  id: string,
  input: ApiKeyRequest,
): Promise<NewApiKey> {
  return transact(app, async (app) => {
    const integration = await lockIntegrationAgainstDelete(app.database, projectOf(caller).id, id);
    if (!integration) throw refuse.notFound();
    const { toolset_ids } = integration;
    return createKey(app, caller, { ...input, integration_id: id, integration_toolset_ids: toolset_ids });
  });
}
