// The upstream half of a sign-in: the URL that the browser is sent to, and who came back (openid/code-flow.ts). GitHub has no ID
// token: its API says who signed in.

import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import * as oauth from 'oauth4webapi';
import type { App } from '../../../app.ts';
import {
  authorizationUrl,
  readCallback,
  readUserInfo,
  requestTokens,
  type SignInRequest,
  type VerifiedTokens,
  verifiedEmail,
  verifyTokens,
} from '../../../openid/code-flow.ts';
import { atProvider } from '../../../openid/provider-error.ts';
import type { Upstream } from '../../../openid/upstream.ts';
import { fetchFrom } from './fetch-from.ts';
import { githubIdentity } from './github.ts';
import { clearLastError, recordingFailure } from './last-error.ts';
import type { Provider } from './provider.ts';
import { findIssuer } from './server-issuer.ts';
import { clientIdOf, isOfServer, resourceOf, type ServerProvider } from './server-provider.ts';
import { readTokens, type UpstreamTokens } from './tokens.ts';
import { findServer, openUpstream } from './upstream.ts';

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
  return authorizationUrl(server, provider.client_id, request, {
    scope: scopesOf(provider).join(' '),
    ...(provider.provider === 'github' ? {} : { nonce: request.nonce }),
    // Google gives a refresh token only with this parameter; elsewhere the scope offline_access does it.
    ...(provider.provider === 'google' ? { access_type: 'offline' } : {}),
    ...(prompt === undefined || provider.provider === 'github' ? {} : { prompt }),
  });
}

/**
 * For the tokens of an MCP server. Who signs in there is not asked. `requestFor` binds the sign-in to the authorization server that was
 * found. Rejects with a ProviderError. Do not hold a database permit.
 */
export async function startAtServer(
  app: App,
  provider: ServerProvider,
  requestFor: (pinned: Provider) => Promise<SignInRequest>,
): Promise<URL> {
  // Not from the cache: who connects an account may just have repaired something there.
  const found = await findIssuer(app, provider);
  const client_id = clientIdOf(app, found.provider, found.server);
  const scope = provider.scopes.length > 0 ? provider.scopes.join(' ') : found.scope;
  return authorizationUrl(found.server, client_id, await requestFor(found.provider), {
    ...resourceOf(found.provider),
    ...(scope === null ? {} : { scope }),
  });
}

/** Rejects with a ProviderError. Do not hold a database permit. */
export async function finishSignIn(
  app: App,
  provider: Provider,
  callback: URLSearchParams,
  request: SignInRequest,
): Promise<UpstreamIdentity> {
  const upstream = await recordingFailure(app, provider, () => openUpstream(app, provider), { is_discovery: true });
  // Not recorded if it is wrong: a browser brought it.
  const parameters = await readCallback(upstream, callback, request.state);
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
  const response = await requestTokens(upstream, parameters, request, resourceOf(provider));
  if (isOfServer(provider)) return finishAtServer(app, upstream, response);
  if (provider.provider === 'github') return finishWithGithub(app, provider, upstream, response);
  const verified = await verifyTokens(upstream, response, request);
  const { claims } = verified;
  const email = verifiedEmail(claims) ?? (await emailFromUserInfo(upstream, provider, verified));
  const { email: _, ...others } = claims;
  return {
    subject: claims.sub,
    email,
    claims: email === null ? others : { ...others, email },
    tokens: readTokens(app, verified.tokens),
  };
}

/** Nobody is identified: the member is known already. */
async function finishAtServer(app: App, { server, client }: Upstream, response: Response): Promise<UpstreamIdentity> {
  const result = await atProvider('token response', () =>
    oauth.processAuthorizationCodeResponse(server, client, response),
  );
  return { subject: '', email: null, claims: {}, tokens: readTokens(app, result) };
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

/** Some providers leave the email out of the ID token. */
async function emailFromUserInfo(
  upstream: Upstream,
  { scopes }: Provider,
  verified: VerifiedTokens,
): Promise<string | null> {
  if (verified.claims.email !== undefined || !scopes.includes('email')) return null;
  const info = await readUserInfo(upstream, verified);
  return info && verifiedEmail(info);
}
