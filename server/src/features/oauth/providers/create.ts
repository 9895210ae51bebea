// Sets up a provider for the members of a project. No request is made to it: `POST …/test` does that.

import type { OAuthProvider, OAuthProviderRequest } from '@toolgate/contract/oauth-providers/oauth-provider.ts';
import { defaultScopes, type OAuthProviderKind } from '@toolgate/contract/oauth-providers/rules.ts';
import { type Caller, creatorOf, hasPermission, projectOf } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkCertificateUse } from '../../activity/certificates/check-use.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { refuseEscalation } from '../../projects/api-keys/create.ts';
import { checkOrigins } from './allowed-origins.ts';
import { resolveIssuer } from './issuer.ts';
import { findOrCreatePrefix } from './member-prefix.ts';
import { recordChange, showProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { insertProvider, lockForCreation } from './store.ts';

export async function createProvider(app: App, caller: Caller, input: OAuthProviderRequest): Promise<OAuthProvider> {
  refuseEscalation(caller, input.permissions);
  const { provider, client_id, permissions, toolset_ids, is_enabled } = input;
  const { accepts_id_jag, required_claims, link_by, max_assertion_seconds } = input;
  refuseIdJagUnlessOpenId(provider, input);
  const issuer = resolveIssuer(app, provider, input.issuer);
  const allowed_origins = checkOrigins(app, input.allowed_origins);
  const project_id = projectOf(caller).id;
  refuseBeyondCaller(caller, { provider: input.toolset_ids });
  return transact(app, async (app) => {
    await refuseUnknownToolsets(app, project_id, input.toolset_ids);
    await checkCertificateUse(app, caller, null, { certificate_id: input.certificate_id, hosts: { issuer } });
    await lockForCreation(app.database, project_id);
    await refuseBeyondLimit(app, 'oauth_providers', project_id);
    const id = input.id ?? newId('oap');
    const row = await insertProvider(app.database, {
      id,
      project_id,
      provider,
      name: input.name ?? defaultName(provider, issuer),
      issuer,
      client_id,
      client_secret: await app.secrets.seal(
        app.database,
        project_id,
        secretContext({ id, issuer }),
        input.client_secret,
      ),
      member_prefix: await findOrCreatePrefix(app.database, project_id, provider, issuer),
      scopes: input.scopes ?? defaultScopes[provider],
      permissions,
      allowed_origins,
      toolset_ids,
      accepts_id_jag,
      required_claims,
      link_by,
      max_assertion_seconds,
      certificate_id: input.certificate_id,
      is_enabled,
      // What others set up in development is used in production only after an admin has approved it.
      is_approved: hasPermission(caller, 'admin'),
      created_by: creatorOf(caller),
    });
    if (!row) throw invalidField('id', 'is already in use', { reason: 'id_taken' });
    app.changes.add(project_id);
    const data = showProvider(row, app.config.public_url);
    await recordChange(app, caller, { type: 'oauth_provider.created', target_id: id, data });
    return data;
  });
}

/** Google and GitHub issue none, and nothing would come of the fields. */
export function refuseIdJagUnlessOpenId(
  provider: OAuthProviderKind,
  { accepts_id_jag }: { accepts_id_jag?: boolean | undefined },
): void {
  if (accepts_id_jag && provider !== 'oidc')
    throw invalidField('accepts_id_jag', 'is only for providers of the kind oidc');
}

function defaultName(provider: OAuthProviderKind, issuer: string): string {
  if (provider === 'oidc') return new URL(issuer).host.slice(0, 128);
  return provider === 'google' ? 'Google' : 'GitHub';
}
