// Registers an app that sends its users here. Its secret is only in this answer.

import { z } from 'zod';
import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import { limitedText, name } from '../../api/fields.ts';
import { refuseBeyondLimit } from '../../api/resource-limit.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { ApiError, invalidField } from '../../errors.ts';
import { hashToken, makeToken, tokenLast4 } from '../../secrets/tokens.ts';
import { getIntegration } from '../integrations/get.ts';
import { type NewClientAnswer, showClient } from './client.ts';
import { recordChange } from './events.ts';
import { redirectUris } from './redirect-uri.ts';
import { insertClient } from './store.ts';

export const integration_id = limitedText(64)
  .nullable()
  .meta({ description: 'Sign-ins through this client make sessions of this integration' });

export const is_public = z
  .boolean()
  .meta({ description: 'An app that cannot keep a secret, such as one on a phone: it gets none and must use PKCE' });

export const newClient = z
  .strictObject({
    name,
    redirect_uris: redirectUris,
    integration_id: integration_id.default(null),
    is_public: is_public.default(false),
  })
  .meta({ id: 'OAuthClientRequest' });

export async function createClient(
  app: App,
  caller: Caller,
  input: z.infer<typeof newClient>,
): Promise<NewClientAnswer> {
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
  try {
    await getIntegration(app, caller, id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    throw invalidField('integration_id', 'must be an integration of this project', { value: id });
  }
}
