// The authorization code flow at an OpenID provider: the URL that the browser is sent to, and who came back. PKCE and nonce are
// always used, and oauth4webapi validates state, iss, the ID token's issuer, audience, nonce and signature.

import * as oauth from 'oauth4webapi';
import { atProvider, ProviderError } from './provider-error.ts';
import type { Upstream } from './upstream.ts';

/** What is kept between the two halves, and compared with what comes back. */
export type SignInRequest = {
  state: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
};

/** `more`: parameters beside those of the flow itself. */
export async function authorizationUrl(
  server: oauth.AuthorizationServer,
  client_id: string,
  { state, code_verifier, redirect_uri }: SignInRequest,
  more: Record<string, string>,
): Promise<URL> {
  const url = new URL(server.authorization_endpoint as string);
  const parameters = {
    client_id,
    response_type: 'code',
    redirect_uri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** What came back in the browser. Rejects with a ProviderError: a wrong state or iss, an error of the provider, no code. */
export async function readCallback(
  { server, client }: Upstream,
  callback: URLSearchParams,
  state: string,
): Promise<URLSearchParams> {
  const parameters = await atProvider('sign-in', async () =>
    oauth.validateAuthResponse(server, client, callback, state),
  );
  if (!parameters.has('code')) throw new ProviderError('invalid', 'sign-in: the code is missing');
  return parameters;
}

/** `parameters` of readCallback(). Rejects with a ProviderError. */
export function requestTokens(
  { server, client, authentication, options }: Upstream,
  parameters: URLSearchParams,
  { redirect_uri, code_verifier }: SignInRequest,
  more: Record<string, string> = {},
): Promise<Response> {
  return atProvider('token request', () =>
    oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, redirect_uri, code_verifier, {
      ...options,
      additionalParameters: more,
    }),
  );
}

export type VerifiedTokens = { claims: oauth.IDToken; tokens: oauth.TokenEndpointResponse };

/** Rejects with a ProviderError unless the response has an ID token that was made for this sign-in and this client. */
export async function verifyTokens(
  { server, client, options }: Upstream,
  response: Response,
  { nonce }: Pick<SignInRequest, 'nonce'>,
): Promise<VerifiedTokens> {
  const tokens = await atProvider('token response', () =>
    oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true }),
  );
  await atProvider('ID token', () => oauth.validateApplicationLevelSignature(server, response, options));
  const claims = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken;
  checkAuthorizedParty(claims, client);
  checkSubject(claims);
  return { claims, tokens };
}

/** OpenID Connect Core 1.0 §3.1.3.7: an ID token with an `azp` was made for that client, also if it has only one audience. */
function checkAuthorizedParty({ azp }: oauth.IDToken, { client_id }: oauth.Client): void {
  if (azp !== undefined && azp !== client_id)
    throw new ProviderError('invalid', 'ID token: azp is not the client_id of this provider');
}

/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. Longer ones could not be an external id. */
function checkSubject({ sub }: oauth.IDToken): void {
  if (!/^[\x21-\x7e]{1,200}$/.test(sub))
    throw new ProviderError('invalid', 'ID token: sub must be 1 to 200 visible ASCII characters');
}

export function verifiedEmail({ email, email_verified }: { [claim: string]: unknown }): string | null {
  return typeof email === 'string' && email_verified === true ? email : null;
}

/** What the userinfo endpoint says of the person; null without one, and if it fails: that is no reason to refuse the sign-in. */
export async function readUserInfo(
  { server, client, options }: Upstream,
  { claims, tokens }: VerifiedTokens,
): Promise<oauth.UserInfoResponse | null> {
  if (!server.userinfo_endpoint) return null;
  try {
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    return await oauth.processUserInfoResponse(server, client, claims.sub, response);
  } catch {
    return null;
  }
}
