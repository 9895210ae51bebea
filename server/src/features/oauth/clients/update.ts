// Changes a client: its redirect URIs, grant types, keys and so on. Whether it is public is fixed: it may have a secret.

import type { OAuthClient, OAuthClientChange } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { checkClient } from './check-client.ts';
import { recordChange, showClient } from './client.ts';
import { toolsetsOfIntegration } from './create.ts';
import { lockClient, updateClientRow } from './store.ts';

export async function updateClient(
  app: App,
  caller: Caller,
  id: string,
  { is_public, ...change }: OAuthClientChange,
): Promise<OAuthClient> {
  return withLockedRow(app, caller, id, lockClient, async (app, row) => {
    if (is_public !== undefined && is_public !== row.is_public)
      throw invalidField('is_public', 'cannot be changed', { reason: 'field_not_changeable' });
    const { redirect_uris = row.redirect_uris, grant_types = row.grant_types } = change;
    const { jwks = row.jwks, jwks_uri = row.jwks_uri } = change;
    checkClient(app, { is_public: row.is_public, redirect_uris, grant_types, jwks, jwks_uri });
    const { integration_id = row.integration_id, toolset_ids = row.toolset_ids } = change;
    const integration = await toolsetsOfIntegration(app, caller, integration_id);
    // Whoever changes where codes are sent, signs people in.
    const { name: _, ...deciding } = change;
    if (!isEmptyChange(deciding)) refuseBeyondCaller(caller, { client: toolset_ids, integration });
    await refuseUnknownToolsets(app, row.project_id, change.toolset_ids);
    const before = showClient(row, app.now());
    if (isEmptyChange(change)) return before;
    const data = showClient(await updateClientRow(app.database, row.project_id, id, change), app.now());
    await recordChange(app, caller, { type: 'oauth_client.updated', target_id: id, data, before });
    return data;
  });
}
