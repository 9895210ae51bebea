// Registers an app that sends its users here. Its secret is only in this answer.

import type { NewOAuthClient, OAuthClientRequest } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField } from '../../../errors/errors.ts';
import { hashToken, makeToken, tokenLast4 } from '../../../secrets/tokens.ts';
import { isIntegration } from '../../projects/integrations/find.ts';
import { showClient } from './client.ts';
import { recordChange } from './events.ts';
import { insertClient } from './store.ts';

export async function createClient(app: App, caller: Caller, input: OAuthClientRequest): Promise<NewOAuthClient> {
  const project_id = projectOf(caller).id;
  return transact(app, async (app) => {
    if (input.integration_id !== null) await refuseUnknownIntegration(app, caller, input.integration_id);
    await refuseBeyondLimit(app, 'oauth_clients', project_id);
    const client_secret = input.is_public ? null : makeToken('svc_ocs_');
    const row = await insertClient(app.database, {
      id: newId('oac'),
      project_id,
      ...input,
      ...hashSecret(client_secret),
      previous_secret_hash: null,
      previous_secret_ends_at: null,
      created_by: creatorOf(caller),
    });
    const client = showClient(row, app.now());
    await recordChange(app, caller, { type: 'oauth_client.created', target_id: row.id, data: client });
    return { ...client, client_secret };
  });
}

export function hashSecret(secret: string | null) {
  return {
    secret_hash: secret === null ? null : hashToken(secret),
    secret_last4: secret === null ? null : tokenLast4(secret),
  };
}

export async function refuseUnknownIntegration(app: App, caller: Caller, id: string): Promise<void> {
  if (await isIntegration(app, caller, id)) return;
  throw invalidField('integration_id', 'must be an integration of this project', { value: id });
}
