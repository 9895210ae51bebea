// Registers an app that sends its users here, or a machine. Its secret is only in this response.

import type { NewOAuthClient, OAuthClientRequest } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField } from '../../../errors/errors.ts';
import { hashToken, makeToken, tokenLast4 } from '../../../secrets/tokens.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { findIntegration } from '../../projects/integrations/find.ts';
import { checkClient } from './check-client.ts';
import { hasKeys, recordChange, showClient } from './client.ts';
import { insertClient } from './store.ts';

export async function createClient(app: App, caller: Caller, input: OAuthClientRequest): Promise<NewOAuthClient> {
  const project_id = projectOf(caller).id;
  checkClient(app, input);
  return transact(app, async (app) => {
    const integration = await toolsetsOfIntegration(app, caller, input.integration_id);
    refuseBeyondCaller(caller, { client: input.toolset_ids, integration });
    await refuseUnknownToolsets(app, project_id, input.toolset_ids);
    await refuseBeyondLimit(app, 'oauth_clients', project_id);
    const secret = input.is_public ? null : makeToken('svc_ocs_');
    const row = await insertClient(app.database, {
      id: newId('oac'),
      project_id,
      ...input,
      ...hashSecret(secret),
      previous_secret_hash: null,
      previous_secret_ends_at: null,
      created_by: creatorOf(caller),
    });
    const client = showClient(row, app.now());
    await recordChange(app, caller, { type: 'oauth_client.created', target_id: row.id, data: client });
    // Nobody gets to know the secret of a client with keys.
    return { ...client, client_secret: hasKeys(row) ? null : secret };
  });
}

export function hashSecret(secret: string | null) {
  return {
    secret_hash: secret === null ? null : hashToken(secret),
    secret_last4: secret === null ? null : tokenLast4(secret),
  };
}

/** They narrow the sessions of the client too. Refuses an integration that the project does not have. */
export async function toolsetsOfIntegration(app: App, caller: Caller, id: string | null): Promise<string[] | null> {
  if (id === null) return null;
  const integration = await findIntegration(app, caller, id);
  if (integration) return integration.toolset_ids;
  throw invalidField('integration_id', 'must be an integration of this project', { value: id });
}
