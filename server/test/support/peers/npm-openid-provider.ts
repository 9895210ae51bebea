// An OpenID provider that others made: oidc-provider from npm, over HTTPS on 127.0.0.1. People sign in on its own development pages. A
// grant of its own exchanges an ID token for an ID-JAG, as a company's identity provider does.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, request } from 'node:https';
import { type JWK, jwtVerify, SignJWT } from 'jose';
import { errors, Provider } from 'oidc-provider';
import { listenOnFreePort } from '../servers/free-port.ts';
import { testAuthority } from './fake-customer.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const REDIRECT_URI = 'https://desk.example.com/callback';
const LIFETIME_SECONDS = 120;

/** `client_ids`: of each of its clients the id at the authorization server that an ID-JAG is for, set by the administrator. */
export async function startNpmOpenIdProvider(client_ids: Map<string, string>) {
  const listener: { handle: ReturnType<Provider['callback']> } = { handle: async () => {} };
  const server = createServer(
    testAuthority.issue(['localhost']),
    (incoming, outgoing) => void listener.handle(incoming, outgoing),
  );
  const port = await listenOnFreePort(server);
  const url = `https://127.0.0.1:${port}`;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = { client_id: 'desk', client_secret: `desk-${randomUUID()}` };
  const provider = new Provider(url, {
    clients: [
      {
        ...client,
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code', TOKEN_EXCHANGE],
        id_token_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'npm', alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    pkce: { required: () => false },
  });
  const parameters = ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'resource', 'scope'];
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (ctx) => {
      const { params = {}, client: caller } = ctx.oidc;
      const given = Object.fromEntries(parameters.map((name) => [name, params[name] as string | undefined]));
      if (given.requested_token_type !== ID_JAG || given.subject_token_type !== ID_TOKEN)
        throw new errors.InvalidRequest('only an ID token is exchanged, for an ID-JAG');
      const { payload } = await jwtVerify(String(given.subject_token), publicKey, {
        issuer: url,
        audience: caller?.clientId ?? '',
      }).catch(() => {
        throw new errors.InvalidGrant('the ID token is not valid');
      });
      const { resource, scope, audience } = given;
      const claims = { client_id: client_ids.get(caller?.clientId ?? ''), ...(resource && { resource }), scope };
      const id_jag = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'npm', typ: 'oauth-id-jag+jwt' })
        .setIssuer(url)
        .setSubject(String(payload.sub))
        .setAudience(String(audience))
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .sign(privateKey);
      ctx.body = { issued_token_type: ID_JAG, access_token: id_jag, token_type: 'N_A', expires_in: LIFETIME_SECONDS };
    },
    parameters,
  );
  listener.handle = provider.callback();
  return {
    url,
    address: `127.0.0.1:${port}`,
    ...client,
    public_jwk: publicKey.export({ format: 'jwk' }) as JWK,
    /** A person signs in and consents on its pages; the ID token that the client gets. */
    idTokenOf: (login: string) => signIn(url, client, login),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

type ApiResponse = { status: number; location: string | null; text: string };

/** A browser: keeps cookies, and follows redirects by hand. */
function openBrowser() {
  const cookies = new Map<string, string>();
  return async (url: string, form?: Record<string, string>): Promise<ApiResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
    const headers = {
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const options = { method: form ? 'POST' : 'GET', headers, ca: testAuthority.certificate, agent: false as const };
    const sent = request(url, options, (response) => {
      for (const line of response.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ? new URL(response.headers.location, url).href : null,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(form ? new URLSearchParams(form).toString() : undefined);
    return promise;
  };
}

async function signIn(
  url: string,
  client: { client_id: string; client_secret: string },
  login: string,
): Promise<string> {
  const visit = openBrowser();
  const query = { client_id: client.client_id, response_type: 'code', scope: 'openid', redirect_uri: REDIRECT_URI };
  let response = await visit(`${url}/auth?${new URLSearchParams(query)}`);
  for (let step = 0; step < 12; step += 1) {
    const next = response.location;
    if (next?.startsWith(REDIRECT_URI)) {
      const code = new URL(next).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...client };
      return JSON.parse((await visit(`${url}/token`, form)).text).id_token;
    }
    if (next === null) throw new Error(`the provider answered ${response.status}: ${response.text.slice(0, 500)}`);
    response = await visit(next);
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(response.text) ?? [];
    if (response.location === null && prompt) response = await visit(next, { prompt, login, password: 'any' });
  }
  throw new Error('the sign-in did not come to an end');
}
