// A small real OpenID provider over HTTPS on 127.0.0.1: discovery, keys, authorize (signs in the chosen user without a page),
// token with PKCE, userinfo, refresh with rotation, revocation. With `flavour: 'github'` it has GitHub's endpoints instead.
// `switches` makes it misbehave.

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, get, type ServerOptions } from 'node:https';
import { exportJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { listenOnFreePort } from '../servers/free-port.ts';
import { testAuthority } from './fake-customer.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

export type TestUser = {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
  groups?: string | string[];
};

type Options = {
  flavour?: 'openid' | 'github';
  /** Epoch milliseconds, such as the server's clock. */
  now?: () => number;
  client_id?: string;
  client_secret?: string;
  /** Instead of a certificate of the test authority. */
  tls?: ServerOptions;
};

type Grant = { user: TestUser; scope: string; nonce: string | null; challenge: string | null; redirect_uri: string };

/** Each makes the provider break one rule; all are off by default. */
export type Switches = {
  /** 503 from every endpoint. */
  is_down: boolean;
  /** Every response waits for this. */
  hold: Promise<unknown> | null;
  /** `iss` of the ID token. */
  token_issuer: string | null;
  /** `iss` of discovery. */
  discovery_issuer: string | null;
  /** `aud` of the ID token. */
  audience: string | null;
  /** `azp` of the ID token. */
  authorized_party: string | null;
  /** `nonce` of the ID token. */
  nonce: string | null;
  /** The ID token is signed with a key that is not published. */
  has_bad_signature: boolean;
  /** `iss` of the authorization response (RFC 9207). */
  callback_iss: string | null;
  /** The person says no: an error of the authorization response. */
  authorize_error: string | null;
  gives_no_refresh_token: boolean;
  /** A refresh returns no new refresh token, and the old one stays valid. */
  keeps_refresh_token: boolean;
  /** An error of the token endpoint, such as invalid_client. */
  token_error: string | null;
  has_no_email_in_id_token: boolean;
  access_token_seconds: number | null;
  /** An empty list of keys. */
  has_no_keys: boolean;
  /** Instead of discovery and keys. */
  raw_body: string | null;
};

const defaults: Switches = {
  is_down: false,
  hold: null,
  token_issuer: null,
  discovery_issuer: null,
  audience: null,
  authorized_party: null,
  nonce: null,
  has_bad_signature: false,
  callback_iss: null,
  authorize_error: null,
  gives_no_refresh_token: false,
  keeps_refresh_token: false,
  token_error: null,
  has_no_email_in_id_token: false,
  access_token_seconds: 3600,
  has_no_keys: false,
  raw_body: null,
};

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

export type ProviderRequest = { method: string; path: string; authorization: string | null; form: URLSearchParams };

type ApiResponse = { status?: number; body?: unknown; location?: string };

export async function startOpenIdProvider(options: Options = {}) {
  const {
    flavour = 'openid',
    now = Date.now,
    client_id = 'toolgate-test',
    client_secret = 'upstream secret:%+',
    tls = testAuthority.issue(['localhost']),
  } = options;
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const unpublished = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk: JWK = { ...(await exportJWK(signing.publicKey)), kid: 'test', alg: 'ES256', use: 'sig' };
  const switches: Switches = { ...defaults };
  const users = { current: { sub: 'alice', email: 'alice@example.com', email_verified: true } as TestUser };
  const codes = new Map<string, Grant>();
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  const requests: ProviderRequest[] = [];

  const server = createServer(tls, (request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  const port = await listenOnFreePort(server);
  const url = `https://127.0.0.1:${port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const authorization = request.headers.authorization ?? null;
    const received = { method: request.method ?? '', path: pathname, authorization, form };
    requests.push(received);
    await switches.hold;
    const {
      status = 200,
      body,
      location,
    } = switches.is_down ? { status: 503, body: 'down' } : await respond(received, searchParams);
    response.writeHead(location ? 302 : status, {
      'content-type': 'application/json',
      ...(location ? { location } : {}),
    });
    response.end(location ? '' : typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  }

  async function respond(request: ProviderRequest, query: URLSearchParams): Promise<ApiResponse> {
    switch (request.path) {
      case '/.well-known/openid-configuration':
        return flavour === 'openid' ? { body: switches.raw_body ?? discovery() } : { status: 404 };
      case '/jwks':
        return { body: switches.raw_body ?? { keys: switches.has_no_keys ? [] : [jwk] } };
      case '/authorize':
      case '/login/oauth/authorize':
        return authorize(query);
      case '/token':
      case '/login/oauth/access_token':
        return token(request);
      case '/userinfo':
        return userOf(request, ({ sub, email, email_verified }) => ({ sub, email, email_verified }));
      case '/api/v3/user':
        return userOf(request, ({ sub }) => ({ id: Number(sub), login: `login-${sub}` }));
      case '/api/v3/user/emails':
        return userOf(request, ({ email, email_verified }) => [
          { email: 'other@example.com', primary: false, verified: true },
          { email, primary: true, verified: email_verified },
        ]);
      case '/revoke':
        return isClient(request) ? revoke(request.form) : { status: 401, body: { error: 'invalid_client' } };
      default:
        return { status: 404, body: { error: 'not_found' } };
    }
  }

  const discovery = () => ({
    issuer: switches.discovery_issuer ?? url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    revocation_endpoint: `${url}/revoke`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  });

  function authorize(query: URLSearchParams): ApiResponse {
    const redirect_uri = query.get('redirect_uri');
    if (query.get('client_id') !== client_id || !redirect_uri)
      return { status: 400, body: { error: 'unknown client' } };
    const back = new URL(redirect_uri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (flavour === 'openid') back.searchParams.set('iss', switches.callback_iss ?? url);
    if (switches.authorize_error) back.searchParams.set('error', switches.authorize_error);
    else {
      const code = random();
      codes.set(code, {
        user: users.current,
        scope: query.get('scope') ?? '',
        nonce: query.get('nonce'),
        challenge: query.get('code_challenge_method') === 'S256' ? query.get('code_challenge') : null,
        redirect_uri,
      });
      back.searchParams.set('code', code);
    }
    return { location: back.href };
  }

  async function token(request: ProviderRequest): Promise<ApiResponse> {
    const { form } = request;
    // GitHub answers errors of this endpoint with status 200.
    const refuse = (error: string) => ({
      status: flavour === 'github' ? 200 : error === 'invalid_client' ? 401 : 400,
      body: { error, error_description: 'refused by the test provider' },
    });
    if (switches.token_error) return refuse(switches.token_error);
    if (form.get('grant_type') !== TOKEN_EXCHANGE && !isClient(request))
      return refuse(flavour === 'github' ? 'incorrect_client_credentials' : 'invalid_client');
    if (form.get('grant_type') === TOKEN_EXCHANGE) return exchangeIdToken(form);
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const [store, key] = isRefresh ? [refresh, form.get('refresh_token') ?? ''] : [codes, form.get('code') ?? ''];
    const grant = store.get(key);
    if (!(isRefresh && switches.keeps_refresh_token)) store.delete(key);
    if (!grant || (!isRefresh && !isPkceRight(grant, form))) return refuse('invalid_grant');
    return { body: await issue(grant, isRefresh) };
  }

  /** RFC 8693: an ID token for an ID-JAG. */
  async function exchangeIdToken(form: URLSearchParams): Promise<ApiResponse> {
    const { payload } = await jwtVerify(form.get('subject_token') ?? '', signing.publicKey, { issuer: url });
    const seconds = Math.floor(now() / 1000);
    const id_jag = await new SignJWT({
      client_id: form.get('client_id'),
      resource: form.get('resource'),
      scope: form.get('scope') ?? 'mcp',
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt' })
      .setSubject(payload.sub ?? '')
      .setIssuer(url)
      .setAudience(form.get('audience')?.replace(/\/$/, '') ?? '')
      .setJti(random())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 300)
      .sign(signing.privateKey);
    const issued_token_type = 'urn:ietf:params:oauth:token-type:id-jag';
    return { body: { access_token: id_jag, issued_token_type, token_type: 'N_A', expires_in: 300 } };
  }

  const isPkceRight = (grant: Grant, form: URLSearchParams) =>
    form.get('redirect_uri') === grant.redirect_uri &&
    grant.challenge !== null &&
    createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url') === grant.challenge;

  async function issue(grant: Grant, isRefresh: boolean): Promise<object> {
    const access_token = random();
    const refresh_token = random();
    access.set(access_token, grant);
    const givesRefreshToken = !switches.gives_no_refresh_token && !(isRefresh && switches.keeps_refresh_token);
    if (givesRefreshToken) refresh.set(refresh_token, grant);
    const { access_token_seconds } = switches;
    return {
      access_token,
      token_type: 'bearer',
      scope: grant.scope,
      ...(givesRefreshToken ? { refresh_token } : {}),
      ...(access_token_seconds === null ? {} : { expires_in: access_token_seconds }),
      ...(flavour === 'openid' ? { id_token: await idToken(grant) } : {}),
    };
  }

  function idToken({ user, nonce }: Grant): Promise<string> {
    const seconds = Math.floor(now() / 1000);
    const { sub, ...email } = user;
    return new SignJWT({
      ...(switches.has_no_email_in_id_token ? {} : email),
      ...(nonce === null ? {} : { nonce: switches.nonce ?? nonce }),
      ...(switches.authorized_party === null ? {} : { azp: switches.authorized_party }),
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'test' })
      .setSubject(sub)
      .setIssuer(switches.token_issuer ?? url)
      .setAudience(switches.audience ?? client_id)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 300)
      .sign(switches.has_bad_signature ? unpublished.privateKey : signing.privateKey);
  }

  function isClient({ authorization, form }: ProviderRequest): boolean {
    const encoded = new URLSearchParams({ '': client_secret }).toString().slice(1);
    const basic = `Basic ${Buffer.from(`${client_id}:${encoded}`).toString('base64')}`;
    const isPosted = form.get('client_id') === client_id && form.get('client_secret') === client_secret;
    return flavour === 'github' ? isPosted : decodesTo(authorization, basic);
  }

  function userOf({ authorization }: ProviderRequest, show: (user: TestUser) => unknown): ApiResponse {
    const grant = access.get(authorization?.replace(/^Bearer /i, '') ?? '');
    return grant ? { body: show(grant.user) } : { status: 401, body: { message: 'Bad credentials' } };
  }

  function revoke(form: URLSearchParams): ApiResponse {
    const token = form.get('token') ?? '';
    access.delete(token);
    refresh.delete(token);
    return {};
  }

  return {
    url,
    /** As an entry of TOOLGATE_EGRESS_ALLOW. */
    address: `127.0.0.1:${port}`,
    client_id,
    client_secret,
    switches,
    signing_key: signing.privateKey,
    /** As after a sign-in at a client of the company. */
    idTokenFor: (sub: string, audience: string) =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: 'test' })
        .setSubject(sub)
        .setIssuer(url)
        .setAudience(audience)
        .setExpirationTime('5m')
        .sign(signing.privateKey),
    requests,
    at: (path: string) => requests.filter((request) => request.path === path),
    /** Who is signed in at the next authorization. */
    setUser(user: Partial<TestUser>): void {
      users.current = { ...users.current, ...user };
    },
    reset(): void {
      Object.assign(switches, defaults);
    },
    isAccessToken: (text: string) => access.has(text),
    hasRefreshToken: (text: string) => refresh.has(text),
    /** Like a person who withdraws access at the provider. */
    forgetEveryToken(): void {
      access.clear();
      refresh.clear();
    },
    /** What a browser does with the URL of startSignIn(): returns where it is sent back to. */
    visit: (target: URL | string) => visit(target),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const random = () => randomBytes(24).toString('base64url');

/** Clients may percent-encode more characters than necessary. */
function decodesTo(given: string | null, expected: string): boolean {
  const plain = (header: string) =>
    decodeURIComponent(
      Buffer.from(header.replace(/^Basic /i, ''), 'base64')
        .toString()
        .replaceAll('+', '%20'),
    );
  return given !== null && /^Basic /i.test(given) && plain(given) === plain(expected);
}

function visit(target: URL | string): Promise<URL> {
  return new Promise((resolve, reject) => {
    get(target, { ca: testAuthority.certificate, agent: false }, (response) => {
      response.resume();
      const { location } = response.headers;
      if (response.statusCode === 302 && location) resolve(new URL(location));
      else reject(new Error(`the provider answered with status ${response.statusCode}`));
    }).on('error', reject);
  });
}
