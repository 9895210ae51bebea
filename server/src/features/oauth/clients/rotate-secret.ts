// Gives a client a new secret. During the overlap both are accepted, so that the app need not switch at one moment.

import type { NewOAuthClient, OAuthClientSecretRotation } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { makeToken } from '../../../secrets/tokens.ts';
import { hasKeys, recordChange, showClient } from './client.ts';
import { hashSecret, toolsetsOfIntegration } from './create.ts';
import { lockClient, updateClientRow } from './store.ts';

export async function rotateSecret(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: OAuthClientSecretRotation,
): Promise<NewOAuthClient> {
  return withLockedRow(app, caller, id, lockClient, async (app, row) => {
    if (row.is_public)
      throw invalidField('is_public', 'a public client has no secret', { reason: 'public_client_without_secret' });
    if (hasKeys(row))
      throw invalidField(row.jwks === null ? 'jwks_uri' : 'jwks', 'a client with keys has no secret', {
        reason: 'client_with_keys_without_secret',
      });
    const integration = await toolsetsOfIntegration(app, caller, row.integration_id);
    refuseBeyondCaller(caller, { client: row.toolset_ids, integration });
    const client_secret = makeToken('svc_ocs_');
    const hasOverlap = overlap_seconds > 0;
    const changed = await updateClientRow(app.database, row.project_id, id, {
      ...hashSecret(client_secret),
      previous_secret_hash: hasOverlap ? row.secret_hash : null,
      previous_secret_ends_at: hasOverlap ? new Date(app.now() + overlap_seconds * 1000).toISOString() : null,
    });
    const client = showClient(changed, app.now());
    const { secret_last4, previous_secret_ends_at } = client;
    const data = { secret_last4, previous_secret_ends_at };
    await recordChange(app, caller, { type: 'oauth_client.secret_rotated', target_id: id, data });
    return { ...client, client_secret };
  });
}
