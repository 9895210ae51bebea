// grant_type=refresh_token: a refresh token, which is used once, for an access token and the next refresh token.

import { grantLayer, type ScopeToolset } from '../../../access/grant-layer.ts';

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { findScopeToolsets } from '../../policies/toolsets/slugs.ts';
import { findByRefreshToken, isReplaced } from '../grants/find.ts';
import type { UsableGrant } from '../grants/usable-grant.ts';
import type { AuthenticatedClient, TokenRequest } from './client-authentication.ts';
import { type CountedRequest, countAgainstPlan } from './count-token-request.ts';
import {
  type Asked,
  invalidGrant,
  issueGranted,
  projectOf,
  readResource,
  reused,
  type TokenResponse,
} from './issue-granted.ts';
import { type Parameters, requireParameter } from './parameters.ts';
import { narrowedTo } from './toolset-scopes.ts';

export async function refresh(
  app: App,
  client: AuthenticatedClient,
  request: TokenRequest & CountedRequest,
): Promise<TokenResponse> {
  const { parameters, ip } = request;
  const token = requireParameter(parameters, 'refresh_token');
  const grant = await app.lookups.run(clientNetwork(ip), () => findByRefreshToken(app, token));
  if (!grant || grant.client_id !== client.client_id || grant.revoked_at !== null) throw await invalidGrant(app, ip);
  const project = await projectOf(app, grant);
  if (isReplaced(grant, token)) throw await reused(app, project, grant, ip);
  const toolsets = await findScopeToolsets(app, project);
  const scopes = narrowedScopes(grant, toolsets, parameters);
  const asked = { ...scopes, resource: readResource(app, grant, parameters) };
  await countAgainstPlan(app, project, request);
  const response = await issueGranted(app, project, { grant, toolsets, asked }, { kind: 'refresh_token', token });
  if (!response) throw refuse.oauthInvalidGrant();
  return response;
}

/** A refresh may ask for less than was granted (RFC 6749 6). */
function narrowedScopes(
  grant: UsableGrant,
  toolsets: readonly ScopeToolset[],
  parameters: Parameters,
): Omit<Asked, 'resource'> {
  const given = parameters.get('scope');
  if (given === undefined) return { scopes: grant.scopes, toolset_ids: null };
  const narrowed = narrowedTo(given.split(' '), grant.scopes, grantLayer(grant, toolsets, null));
  if (!narrowed) throw refuse.oauthInvalidScope();
  return narrowed;
}
