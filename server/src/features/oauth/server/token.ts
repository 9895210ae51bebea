// POST /oauth/token: which grant a request is for. Each has a file of its own: redeem-code.ts, refresh.ts, client-credentials.ts and
// exchange-id-jag.ts. The access token is a session.

import { defaultGrantTypes, type OAuthGrantType, oauthGrantTypes } from '@toolgate/contract/oauth-clients/rules.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { authenticateClient, type TokenRequest } from './client-authentication.ts';
import { issueForClient } from './client-credentials.ts';
import type { CountedRequest } from './count-token-request.ts';
import { exchangeIdJag } from './exchange-id-jag.ts';
import type { TokenResponse } from './issue-granted.ts';
import { JWT_BEARER } from './metadata.ts';
import type { Parameters } from './parameters.ts';
import { redeemCode } from './redeem-code.ts';
import { refresh } from './refresh.ts';

type Request = TokenRequest & CountedRequest;

export async function issueToken(app: App, request: Request): Promise<TokenResponse> {
  const grant_type = grantTypeOf(request.parameters);
  if (grant_type === JWT_BEARER || grant_type === 'client_credentials') refuseWithoutClient(request);
  const client = await authenticateClient(app, request);
  if (grant_type === JWT_BEARER) return exchangeIdJag(app, client, request);
  if (grant_type === 'client_credentials') return issueForClient(app, client, request);
  const { grant_types } = client.registered ?? { grant_types: defaultGrantTypes };
  if (!grant_types.includes(grant_type)) throw refuse.oauthUnauthorizedClient();
  if (grant_type === 'refresh_token') return refresh(app, client, request);
  const { refresh_token, ...response } = await redeemCode(app, client, request);
  // Otherwise nobody gets to know it.
  return grant_types.includes('refresh_token') && refresh_token ? { ...response, refresh_token } : response;
}

/** Where a client must authenticate, none at all is a failed authentication and not a missing parameter (RFC 6749 5.2). */
function refuseWithoutClient({ parameters, authorization }: Request): void {
  const ways = ['client_id', 'client_assertion', 'client_assertion_type'];
  if (authorization === undefined && !ways.some((way) => parameters.has(way)))
    throw refuse.oauthInvalidClient({ details: { field: 'client_id' } });
}

/** The minimal request has no grant_type: it has a code. */
function grantTypeOf(parameters: Parameters): OAuthGrantType | typeof JWT_BEARER {
  const implied = parameters.has('refresh_token') && !parameters.has('code') ? 'refresh_token' : 'authorization_code';
  const given = parameters.get('grant_type') ?? implied;
  if (given === JWT_BEARER) return given;
  const grant_type = oauthGrantTypes.find((each) => each === given);
  if (grant_type === undefined) throw refuse.oauthUnsupportedGrantType();
  return grant_type;
}
