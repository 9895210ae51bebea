// Sets up single sign-on at a test provider, and signs people in as a browser does.

import { totpCode } from '../../../src/features/identity/accounts/totp.ts';
import type { OpenIdProvider, TestUser } from '../peers/openid-provider.ts';
import type { ApiResponse } from '../requests/call-api.ts';
import type { TestServer } from '../servers/start-server.ts';
import { expectResponse } from './make.ts';
import { type Person, toPerson, withCookie } from './make-accounts.ts';

export const ssoFields = (peer: OpenIdProvider, fields: object = {}) => ({
  issuer: peer.url,
  client_id: peer.client_id,
  client_secret: peer.client_secret,
  domains: ['example.com'],
  role_claim: 'groups',
  role_map: { staff: 'viewer', builders: 'developer', leads: 'admin', heads: 'owner' },
  default_role: null,
  is_required: false,
  ...fields,
});

export async function setSso(owner: Person, peer: OpenIdProvider, fields: object = {}): Promise<any> {
  return expectResponse(await owner.api('PUT', '/organization/sso', { body: ssoFields(peer, fields) }), 200);
}

/** What a browser adds to a link on a page of this server. */
export const ownPage = { 'sec-fetch-site': 'same-origin' };

/** From the sign-in page: the cookie of the browser, and where it was sent. */
export async function startSignIn(server: TestServer, email: string, headers: Record<string, string> = {}) {
  const response = await server.api('GET', `/account/sso?email=${encodeURIComponent(email)}`, {
    headers: { ...ownPage, ...headers },
    redirect: 'manual',
  });
  return {
    response,
    cookie: cookiesOf(response).get('toolgate_sso') ?? '',
    location: response.headers.get('location'),
  };
}

/** Where the provider sends the browser back to, as a path below /api/v1. */
export async function visitProvider(peer: OpenIdProvider, location: string | null, user: Partial<TestUser> = {}) {
  peer.setUser(user);
  const back = await peer.visit(location ?? '');
  return `${back.pathname.replace('/api/v1', '')}${back.search}`;
}

/** `path` of visitProvider(). */
export const finishSignIn = (server: TestServer, path: string, headers: Record<string, string>) =>
  server.api('GET', path, { headers, redirect: 'manual' });

/** The whole way of a browser; the answer of the callback. */
export async function signInAt(
  server: TestServer,
  peer: OpenIdProvider,
  user: Partial<TestUser>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const { cookie, location } = await startSignIn(server, user.email ?? 'someone@example.com');
  const path = await visitProvider(peer, location, user);
  return finishSignIn(server, path, { cookie: `toolgate_sso=${cookie}`, ...headers });
}

export async function personAt(server: TestServer, peer: OpenIdProvider, user: Partial<TestUser>): Promise<Person> {
  const response = await signInAt(server, peer, user);
  expectResponse(response, 303);
  const cookie = `toolgate_session=${cookiesOf(response).get('toolgate_session')}`;
  const account = expectResponse(await withCookie(server, cookie)('GET', '/account'), 200);
  return { ...toPerson(server, response, account), cookie, api: withCookie(server, cookie) };
}

export function cookiesOf({ headers }: ApiResponse): Map<string, string> {
  return new Map(headers.getSetCookie().map((text) => text.split(';')[0]?.split('=') as [string, string]));
}

/** Turns two-factor authentication on and marks the owner. */
export async function makeBreakGlass(server: TestServer, owner: Person): Promise<string> {
  const { secret } = expectResponse(await owner.api('POST', '/account/totp'), 201);
  const code = totpCode(secret, Math.floor(server.app.now() / 30_000));
  expectResponse(await owner.api('POST', '/account/totp/confirm', { body: { code } }), 200);
  const path = `/organization/accounts/${owner.account.id}`;
  expectResponse(await owner.api('PATCH', path, { body: { is_break_glass: true } }), 200);
  return secret;
}
