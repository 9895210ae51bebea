// Sets up a provider for the members of a project. No request is made to it: `POST …/test` does that.

import { z } from 'zod';
import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import { name } from '../../api/fields.ts';
import { refuseBeyondLimit } from '../../api/resource-limit.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { invalidField } from '../../errors.ts';
import { refuseEscalation } from '../api-keys/create.ts';
import { recordChange } from './events.ts';
import { client_id, client_secret, defaultScopes, id, is_enabled, issuer, permissions, scopes } from './fields.ts';
import { resolveIssuer } from './issuer.ts';
import { findOrCreatePrefix } from './member-prefix.ts';
import { kind, type ProviderAnswer, type ProviderKind, showProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { insertProvider, lockForCreation } from './store.ts';

export const newProvider = z
  .strictObject({
    id: id.optional(),
    provider: kind,
    name: name.optional().meta({ description: 'What people choose it by; Google, GitHub or the host of the issuer' }),
    issuer: issuer.default(null),
    client_id,
    client_secret,
    scopes: scopes.optional(),
    permissions: permissions.default([]),
    is_enabled: is_enabled.default(true),
  })
  .meta({ id: 'OAuthProviderRequest' });

export async function createProvider(
  app: App,
  caller: Caller,
  input: z.infer<typeof newProvider>,
): Promise<ProviderAnswer> {
  refuseEscalation(caller, input.permissions);
  const { provider, client_id, permissions, is_enabled } = input;
  const issuer = resolveIssuer(app, provider, input.issuer);
  const project_id = projectOf(caller).id;
  return transact(app, async (app) => {
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
      is_enabled,
      created_by: creatorOf(caller),
    });
    if (!row) throw invalidField('id', 'is taken', { reason: 'id_taken' });
    app.changes.add(project_id);
    const data = showProvider(row, app.config.public_url);
    await recordChange(app, caller, { type: 'oauth_provider.created', target_id: id, data });
    return data;
  });
}

function defaultName(provider: ProviderKind, issuer: string): string {
  if (provider === 'oidc') return new URL(issuer).host.slice(0, 128);
  return provider === 'google' ? 'Google' : 'GitHub';
}
