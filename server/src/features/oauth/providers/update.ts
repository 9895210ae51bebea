// Changes a provider. Its kind and issuer are fixed: members are known by their subject at that issuer, and stored tokens belong to it.

import type { OAuthProvider, OAuthProviderChange } from '@toolgate/contract/oauth-providers/oauth-provider.ts';
import { refuseUnlessAdminInProduction } from '../../../access/admin-in-production.ts';
import { type Caller, hasPermission } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { checkCertificateUse } from '../../activity/certificates/check-use.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { refuseEscalation } from '../../projects/api-keys/create.ts';
import { checkOrigins } from './allowed-origins.ts';
import { refuseIdJagUnlessOpenId } from './create.ts';
import { resolveIssuer } from './issuer.ts';
import { type ProviderRow, recordChange, showProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { lockProvider, updateProviderRow } from './store.ts';

export async function updateProvider(
  app: App,
  caller: Caller,
  id: string,
  input: OAuthProviderChange,
): Promise<OAuthProvider> {
  return withLockedRow(app, caller, id, lockProvider, async (app, row) => {
    // Whoever can change the client of a provider decides who can sign in, so it needs what those people get.
    refuseEscalation(caller, [...row.permissions, ...(input.permissions ?? [])]);
    const { name: _, ...deciding } = input;
    const { toolset_ids = row.toolset_ids } = input;
    if (!isEmptyChange(deciding)) refuseBeyondCaller(caller, { provider: toolset_ids });
    await refuseUnknownToolsets(app, row.project_id, input.toolset_ids);
    const { certificate_id = row.certificate_id } = input;
    const hosts = { issuer: row.issuer };
    await checkCertificateUse(app, caller, { ...row, hosts }, { certificate_id, hosts });
    const { client_secret: given, ...change } = readChange(app, caller, row, input);
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

/**
 * Without the fields that are fixed, and with what the change means for the approval: what somebody without `admin` decided in
 * development is not used in production before an admin approves it.
 */
function readChange(
  app: App,
  caller: Caller,
  row: ProviderRow,
  input: OAuthProviderChange,
): Omit<OAuthProviderChange, 'issuer'> {
  const change = withoutFixedFields(app, row, input);
  refuseIdJagUnlessOpenId(row.provider, change);
  if (change.allowed_origins) change.allowed_origins = checkOrigins(app, change.allowed_origins);
  const isAdmin = hasPermission(caller, 'admin');
  if ((change.is_approved ?? row.is_approved) !== row.is_approved && !isAdmin)
    throw lacksPermission(caller, 'admin', { field: 'is_approved' });
  const field = decidingField(row, change);
  if (field === undefined) return change;
  refuseUnlessAdminInProduction(caller, { field });
  return isAdmin ? change : { ...change, is_approved: false };
}

/** The first changed field that decides who can be a member, what members may do, or where their tokens go. */
function decidingField(row: ProviderRow, change: OAuthProviderChange): string | undefined {
  const { client_id = row.client_id, permissions = [], allowed_origins = row.allowed_origins, is_enabled } = change;
  if (client_id !== row.client_id) return 'client_id';
  if (permissions.some((each) => !row.permissions.includes(each))) return 'permissions';
  if (allowed_origins.toSorted().join(' ') !== row.allowed_origins.toSorted().join(' ')) return 'allowed_origins';
  const idJag = ['accepts_id_jag', 'link_by', 'max_assertion_seconds', 'required_claims'] as const;
  const isOther = (name: (typeof idJag)[number]) =>
    change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(row[name]);
  return idJag.find(isOther) ?? (is_enabled && !row.is_enabled ? 'is_enabled' : undefined);
}

/** They may be sent as they are. */
function withoutFixedFields(app: App, row: ProviderRow, { provider, issuer, ...rest }: OAuthProviderChange) {
  if (provider !== undefined && provider !== row.provider)
    throw invalidField('provider', 'cannot be changed', { value: provider, reason: 'field_not_changeable' });
  if (issuer !== undefined && resolveIssuer(app, row.provider, issuer) !== row.issuer)
    throw invalidField('issuer', 'cannot be changed', { reason: 'field_not_changeable' });
  return rest;
}
