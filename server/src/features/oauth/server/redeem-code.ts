// grant_type=authorization_code: a code for an access token, and a refresh token.

import { createHash } from 'node:crypto';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { findScopeToolsets } from '../../policies/toolsets/slugs.ts';
import { findByCode } from '../grants/find.ts';
import type { UsableGrant } from '../grants/usable-grant.ts';
import type { AuthenticatedClient, TokenRequest } from './client-authentication.ts';
import { type CountedRequest, countAgainstPlan } from './count-token-request.ts';
import { invalidGrant, issueGranted, projectOf, readResource, reused, type TokenResponse } from './issue-granted.ts';
import { type Parameters, requireParameter } from './parameters.ts';

export async function redeemCode(
  app: App,
  client: AuthenticatedClient,
  request: TokenRequest & CountedRequest,
): Promise<TokenResponse> {
  const { parameters, ip } = request;
  const code = requireParameter(parameters, 'code');
  const grant = await app.lookups.run(clientNetwork(ip), () => findByCode(app, code));
  if (!grant || grant.client_id !== client.client_id) throw await invalidGrant(app, ip);
  const project = await projectOf(app, grant);
  // A code that is used twice is in two hands: what the first got is revoked too (RFC 6749 4.1.2).
  if (grant.code_used_at !== null) throw await reused(app, project, grant, ip);
  checkBindings(grant, parameters);
  const resource = readResource(app, grant, parameters);
  await countAgainstPlan(app, project, request);
  const toolsets = await findScopeToolsets(app, project);
  const asked = { scopes: grant.scopes, toolset_ids: null, resource };
  const response = await issueGranted(app, project, { grant, toolsets, asked }, { kind: 'code', token: code });
  if (response) return response;
  const current = await findByCode(app, code);
  if (current?.code_used_at) throw await reused(app, project, current, ip);
  throw refuse.oauthInvalidGrant();
}

/** What the code was made for must be what it is used for. */
function checkBindings({ redirect_uri, code_challenge }: UsableGrant, parameters: Parameters): void {
  if ((parameters.get('redirect_uri') ?? redirect_uri) !== redirect_uri)
    throw refuse.oauthInvalidGrant({
      details: { remedy: 'Send the redirect_uri of the authorization request, or leave it out.' },
    });
  const verifier = parameters.get('code_verifier');
  if (code_challenge === null && verifier === undefined) return;
  if (code_challenge === null || verifier === undefined || !isVerifier(verifier, code_challenge))
    throw refuse.oauthInvalidGrant({
      details: { remedy: 'Send the code_verifier that matches the code_challenge of the authorization request.' },
    });
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const given = createHash('sha256').update(verifier).digest('base64url');
  return sameBytes(Buffer.from(given), Buffer.from(challenge));
}
