// Where the tokens of a provider's members may be sent: only to origins that somebody approved for the provider, so that whoever
// may change a tool cannot have a member's token sent to a server of their own.

import { MAX_ALLOWED_ORIGINS } from '@toolgate/contract/oauth-providers/oauth-provider.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import { type Provider, recordChange, showProvider } from './provider.ts';
import { lockProvider, selectProvider, updateProviderRow } from './store.ts';

/** Returns them as `base_url` of a tool is stored, each once. */
export function checkOrigins(app: App, given: string[]): string[] {
  const origins = given.map((text, at) => {
    const checked = checkOrigin(text, app.config.egress_allow);
    if (!('problem' in checked)) return checked.origin;
    throw invalidField(`allowed_origins.${at}`, 'must be an HTTPS origin such as https://api.example.com', {
      reason: checked.problem === 'not_public' ? 'address_not_public' : 'invalid_value',
    });
  });
  return [...new Set(origins)];
}

/** What decides where tokens go. */
export type Destinations = Pick<Provider, 'environment' | 'is_approved' | 'allowed_origins'>;

export function mayReceiveTokens({ environment, is_approved, allowed_origins }: Destinations, origin: string): boolean {
  if (environment === 'development' && allowed_origins.length === 0) return true;
  return (environment === 'development' || is_approved) && allowed_origins.includes(origin);
}

/** Joins the transaction of the tool for which an admin approves the origin. */
export async function allowOrigin(app: App, caller: Caller, id: string, origin: string): Promise<void> {
  const current = await selectProvider(app.database, projectOf(caller).id, id);
  if (current?.allowed_origins.includes(origin)) return;
  await withLockedRow(app, caller, id, lockProvider, async (app, row) => {
    if (row.allowed_origins.includes(origin)) return;
    const allowed_origins = [...row.allowed_origins, origin];
    if (allowed_origins.length > MAX_ALLOWED_ORIGINS)
      throw invalidField('base_url', `the OAuth provider already has ${MAX_ALLOWED_ORIGINS} allowed origins`);
    const changed = await updateProviderRow(app.database, row.project_id, id, { allowed_origins });
    const data = showProvider(changed, app.config.public_url);
    const before = showProvider(row, app.config.public_url);
    await recordChange(app, caller, { type: 'oauth_provider.updated', target_id: id, data, before });
  });
}
