// Changes a provider. Its kind and issuer are fixed: members are known by their subject at that issuer, and stored tokens belong to it.

import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { isEmptyChange } from '../../api/empty-change.ts';
import { name } from '../../api/fields.ts';
import { withLockedRow } from '../../api/with-locked-row.ts';
import type { App } from '../../app.ts';
import { invalidField } from '../../errors.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { sameBytes } from '../../secrets/tokens.ts';
import { refuseEscalation } from '../api-keys/create.ts';
import { recordChange } from './events.ts';
import { client_id, client_secret, is_enabled, issuer, permissions, scopes } from './fields.ts';
import { resolveIssuer } from './issuer.ts';
import { kind, type ProviderAnswer, type ProviderRow, showProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { lockProvider, updateProviderRow } from './store.ts';

export const providerChange = z
  .strictObject({
    provider: kind.meta({ description: 'Cannot be changed' }),
    issuer: issuer.meta({ description: 'Cannot be changed' }),
    name,
    client_id,
    client_secret,
    scopes,
    permissions,
    is_enabled,
  })
  .partial()
  .meta({ id: 'OAuthProviderChange' });

type ProviderChange = z.infer<typeof providerChange>;

export async function updateProvider(
  app: App,
  caller: Caller,
  id: string,
  input: ProviderChange,
): Promise<ProviderAnswer> {
  return withLockedRow(app, caller, id, lockProvider, async (app, row) => {
    // Whoever can change the client of a provider decides who can sign in, so it needs what those people get.
    refuseEscalation(caller, [...row.permissions, ...(input.permissions ?? [])]);
    const { client_secret: given, ...change } = withoutFixedFields(app, row, input);
    // A client that sends the secret with every update must not record a change each time.
    const secret = given !== undefined && (await isSameSecret(app, row, given)) ? undefined : given;
    const before = showProvider(row, app.config.public_url);
    if (isEmptyChange(change) && secret === undefined) return before;
    const client_secret = secret && (await app.secrets.seal(app.database, row.project_id, secretContext(row), secret));
    // Another client may be the repair: the next sign-in shows it.
    const isOtherClient = secret !== undefined || (change.client_id ?? row.client_id) !== row.client_id;
    const last_error = isOtherClient ? null : undefined;
    const changed = await updateProviderRow(app.database, row.project_id, id, { ...change, client_secret, last_error });
    const data = showProvider(changed, app.config.public_url);
    // The audit log shows what the caller changed.
    const shown_before = { ...before, last_error: data.last_error };
    await recordChange(app, caller, { type: 'oauth_provider.updated', target_id: id, data, before: shown_before });
    return data;
  });
}

/** False if the stored secret cannot be opened. */
async function isSameSecret(app: App, row: ProviderRow, secret: string): Promise<boolean> {
  try {
    const current = await app.secrets.open(app.database, row.project_id, secretContext(row), row.client_secret);
    return sameBytes(current, Buffer.from(secret));
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}

/** They may be sent as they are. */
function withoutFixedFields(app: App, row: ProviderRow, { provider, issuer, ...rest }: ProviderChange) {
  if (provider !== undefined && provider !== row.provider)
    throw invalidField('provider', 'cannot be changed', { value: provider, reason: 'field_not_changeable' });
  if (issuer !== undefined && resolveIssuer(app, row.provider, issuer) !== row.issuer)
    throw invalidField('issuer', 'cannot be changed', { reason: 'field_not_changeable' });
  return rest;
}
