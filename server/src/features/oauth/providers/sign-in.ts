// The upstream half of a sign-in: the URL that the browser is sent to, and who came back. PKCE and nonce are always used, and
// oauth4webapi validates state, iss, the ID token's issuer, audience, nonce and signature.

import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import * as oauth from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { githubIdentity } from './github.ts';
import { clearLastError, recordingFailure } from './last-error.ts';
import type { Provider } from './provider.ts';
import { atProvider, ProviderError } from './provider-error.ts';
import { readTokens, type UpstreamTokens } from './tokens.ts';
import { fetchFrom, findServer, openUpstream, type Upstream } from './upstream.ts';

/** What is kept between the two halves, and compared with what comes back. */
export type SignInRequest = {
  state: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
};

export type UpstreamIdentity = {
  /** Unique at this issuer and never reassigned. */
  subject: string;
  /** Only if the provider verified it. */
  email: string | null;
  /** What the ID token says of the person, for the rules of the project; an email address only if it is verified. */
  claims: MemberClaims;
  tokens: UpstreamTokens;
};

type StartOptions = {
  /** `consent` asks the person again, so that the provider also gives a refresh token to an app it knows already. */
  prompt?: 'consent';
};

/** Rejects with a ProviderError if the provider's endpoints cannot be found. Do not hold a database permit. */
export async function startSignIn(
  app: App,
  provider: Provider,
  request: SignInRequest,
  { prompt }: StartOptions = {},
): Promise<URL> {
  const { server } = await recordingFailure(app, provider, () => findServer(app, provider), { is_discovery: true });
  const url = new URL(server.authorization_endpoint as string);
  const parameters = {
    client_id: provider.client_id,
    response_type: 'code',
    redirect_uri: request.redirect_uri,
    scope: scopesOf(provider).join(' '),
    state: request.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(request.code_verifier),
    code_challenge_method: 'S256',
    ...(provider.provider === 'github' ? {} : { nonce: request.nonce }),
    // Google gives a refresh token only with this parameter; elsewhere the scope offline_access does it.
    ...(provider.provider === 'google' ? { access_type: 'offline' } : {}),
    ...(prompt === undefined || provider.provider === 'github' ? {} : { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Rejects with a ProviderError. Do not hold a database permit. */
export async function finishSignIn(
  app: App,
  provider: Provider,
  callback: URLSearchParams,
  request: SignInRequest,
): Promise<UpstreamIdentity> {
  const upstream = await recordingFailure(app, provider, () => openUpstream(app, provider), { is_discovery: true });
  const { server, client } = upstream;
  // Not recorded if it is wrong: a browser brought it.
  const parameters = await atProvider('sign-in', async () =>
    oauth.validateAuthResponse(server, client, callback, request.state),
  );
  if (!parameters.has('code')) throw new ProviderError('invalid', 'sign-in: the code is missing');
  const identity = await recordingFailure(app, provider, () =>
    exchangeCode(app, provider, upstream, { parameters, request }),
  );
  clearLastError(app, provider);
  return identity;
}

async function exchangeCode(
  app: App,
  provider: Provider,
  upstream: Upstream,
  { parameters, request }: { parameters: URLSearchParams; request: SignInRequest },
): Promise<UpstreamIdentity> {
  const { server, client, authentication, options } = upstream;
  const { redirect_uri, code_verifier, nonce } = request;
  const response = await atProvider('token request', () =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirect_uri,
      code_verifier,
      options,
    ),
  );
  if (provider.provider === 'github') return finishWithGithub(app, provider, upstream, response);
  const result = await atProvider('token response', () =>
    oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true }),
  );
  await atProvider('ID token', () => oauth.validateApplicationLevelSignature(server, response, options));
  const claims = oauth.getValidatedIdTokenClaims(result) as oauth.IDToken;
  checkAuthorizedParty(claims, provider);
  const email = verifiedEmail(claims) ?? (await emailFromUserInfo(upstream, provider, claims, result.access_token));
  const { email: _, ...others } = claims;
  return {
    subject: checkSubject(claims.sub),
    email,
    claims: email === null ? others : { ...others, email },
    tokens: readTokens(app, result),
  };
}

async function finishWithGithub(
  app: App,
  provider: Provider,
  { server, client }: Upstream,
  response: Response,
): Promise<UpstreamIdentity> {
  const result = await atProvider('token response', () =>
    oauth.processAuthorizationCodeResponse(server, client, response),
  );
  const identity = await atProvider('GitHub user', () =>
    githubIdentity(provider.issuer, result.access_token, fetchFrom(app, provider)),
  );
  return { ...identity, tokens: readTokens(app, result) };
}

/** An ID token is required, so `openid` is requested even if it is not configured. */
function scopesOf({ provider, scopes }: Provider): string[] {
  return provider === 'github' || scopes.includes('openid') ? scopes : ['openid', ...scopes];
}

/** OpenID Connect Core 1.0 §3.1.3.7: an ID token with an `azp` was made for that client, also if it has only one audience. */
function checkAuthorizedParty({ azp }: oauth.IDToken, { client_id }: Provider): void {
  if (azp !== undefined && azp !== client_id)
    throw new ProviderError('invalid', 'ID token: azp is not the client_id of this provider');
}

/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. Longer ones could not be an external id. */
function checkSubject(subject: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(subject))
    throw new ProviderError('invalid', 'ID token: sub must be 1 to 200 visible ASCII characters');
  return subject;
}

function verifiedEmail({ email, email_verified }: { [claim: string]: unknown }): string | null {
  return typeof email === 'string' && email_verified === true ? email : null;
}

/** Some providers leave the email out of the ID token. A failure here is no reason to refuse the sign-in. */
async function emailFromUserInfo(
  { server, client, options }: Upstream,
  provider: Provider,
  claims: oauth.IDToken,
  access_token: string,
): Promise<string | null> {
  if (claims.email !== undefined || !server.userinfo_endpoint || !provider.scopes.includes('email')) return null;
  try {
    const response = await oauth.userInfoRequest(server, client, access_token, options);
    return verifiedEmail(await oauth.processUserInfoResponse(server, client, claims.sub, response));
  } catch {
    return null;
  }
}
