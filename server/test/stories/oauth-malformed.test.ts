// Malformed input to the token endpoint and malformed documents of others: whatever comes, the answer is a refusal with a name, nothing
// is created, and nobody else notices.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { makeOwner } from '../support/make/make-accounts.ts';
import { makeClient, makeOAuthTenant, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { ssoFields } from '../support/make/make-sso.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { useSeed } from '../support/property-seed.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const good = await startOpenIdProvider({ now: () => clock.now() });
after(() => Promise.all([peer.close(), good.close()]));
const server = await startOAuthServer([peer, good]);
clock.now = () => server.app.now();
const accepting = { provider: { accepts_id_jag: true } };
const tenant = await makeOAuthTenant(server, peer, accepting);
const other = await makeOAuthTenant(server, good, accepting);
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const machine = await makeClient(server, tenant.id, {
  redirect_uris: [],
  grant_types: ['client_credentials'],
  jwks: { keys: [publicKey.export({ format: 'jwk' })] },
});
const issuer = server.app.config.public_url;
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

beforeEach(() => {
  peer.reset();
  // Failed credentials are counted by the minute.
  server.advance(120_000);
});

const seconds = () => Math.floor(server.app.now() / 1000);

/** Values that a claim or a member of a header may have, and those that it must not. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    1e308,
    -1,
    0,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '../..',
    '__proto__',
    [issuer, issuer],
    [[issuer]],
  ),
);
const names = (...all: string[]) => fc.dictionary(fc.constantFrom(...all), odd, { maxKeys: 3 });
const headers = names('alg', 'kid', 'typ', 'crit', 'jwk', 'jku', 'x5c', 'b64', 'zip', 'cty');
const claims = names('iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'resource', 'scope', 'cnf', 'email');

const part = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');

/** Texts that are no JWT, and JWTs whose signature may be right. */
const assertions = (base: () => Record<string, unknown>, typ: string, key: () => any) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom('', '.', '..', '...', 'a.b.c', `${'A'.repeat(9_000)}.A.A`, 'e30.e30.e30') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(headers, claims, fc.base64String({ maxLength: 100 }))
        .map(([header, given, signature]) =>
          [part({ alg: 'ES256', typ, ...header }), part({ ...base(), ...given }), signature.replaceAll('=', '')].join(
            '.',
          ),
        ),
    },
    {
      weight: 4,
      arbitrary: claims.map((given) => {
        const made = { ...base(), ...given };
        return () => new SignJWT(made as never).setProtectedHeader({ alg: 'ES256', typ, kid: 'test' }).sign(key());
      }),
    },
  );

const read = async (assertion: string | (() => Promise<string>)) =>
  typeof assertion === 'string' ? assertion : assertion().catch(() => 'not.signed.');

async function sessions(): Promise<string> {
  const { rows } = await server.app.pool.query(
    'select (select count(*) from member_sessions) + (select count(*) from client_sessions) as n',
  );
  return rows[0].n;
}

/** Refused by the rules of RFC 6749, or accepted because what was changed is no claim that is checked. */
const codes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_target',
  'invalid_scope',
  'unauthorized_client',
];

async function expectNamedRefusal(form: Record<string, string>): Promise<void> {
  server.advance(60_000);
  const before = await sessions();
  const response = await postForm(server, '/oauth/token', form);
  if (response.status === 200) return;
  assert.ok([400, 401].includes(response.status), `${response.status} ${response.text} for ${JSON.stringify(form)}`);
  assert.ok(codes.includes(response.body.error), response.text);
  assert.equal(await sessions(), before, 'a refusal creates nothing');
}

useSeed();
const RUNS = { numRuns: 150 };

test('an assertion of any form is an ID-JAG or a refusal with a name', async () => {
  const base = () => ({
    iss: peer.url,
    sub: 'alice',
    aud: issuer,
    client_id: tenant.client.client_id,
    jti: unique('jti'),
    iat: seconds() + 60,
    exp: seconds() + 200,
  });
  const { client_id, client_secret } = tenant.client;
  const arbitrary = assertions(base, 'oauth-id-jag+jwt', () => peer.signing_key);
  await fc.assert(
    fc.asyncProperty(arbitrary, async (made) => {
      const assertion = await read(made);
      await expectNamedRefusal({ grant_type: JWT_BEARER, assertion, client_id, client_secret });
      const path = `/projects/${tenant.id}/oauth-providers/${tenant.provider.id}/debug-id-jag`;
      const report = await server.api('POST', path, { key: ROOT_KEY, body: { assertion } });
      assert.ok([200, 422].includes(report.status), `${report.status} ${report.text}`);
    }),
    RUNS,
  );
});

test('a client assertion of any form is a proof or a refusal with a name', async () => {
  const base = () => ({
    iss: machine.client_id,
    sub: machine.client_id,
    aud: issuer,
    jti: unique('jti'),
    iat: seconds(),
    exp: seconds() + 200,
  });
  const arbitrary = fc.tuple(
    assertions(base, 'JWT', () => privateKey),
    fc.option(fc.string({ unit: 'binary' })),
  );
  await fc.assert(
    fc.asyncProperty(arbitrary, async ([made, client_id]) => {
      await expectNamedRefusal({
        grant_type: 'client_credentials',
        client_assertion: await read(made),
        client_assertion_type: ASSERTION_TYPE,
        ...(client_id === null ? {} : { client_id }),
      });
    }),
    RUNS,
  );
});

const documents = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .record(
      { issuer: odd, jwks_uri: odd, token_endpoint: odd, authorization_endpoint: odd, userinfo_endpoint: odd },
      { requiredKeys: [] },
    )
    .map((fields) =>
      JSON.stringify({
        issuer: peer.url,
        jwks_uri: `${peer.url}/jwks`,
        token_endpoint: `${peer.url}/token`,
        ...fields,
      }),
    ),
  fc
    .array(fc.dictionary(fc.constantFrom('kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use', 'd'), odd), {
      maxLength: 5,
    })
    .map((keys) => JSON.stringify({ issuer: peer.url, jwks_uri: `${peer.url}/jwks`, keys })),
);

test('documents of an issuer of any form are a refusal with a name, for ID-JAGs and for single sign-on', async () => {
  const owner = await makeOwner(server);
  const { client_id, client_secret } = tenant.client;
  const claims = { iss: peer.url, sub: 'alice', aud: issuer, client_id };
  await fc.assert(
    fc.asyncProperty(documents, async (raw_body) => {
      // What was read before is not kept.
      server.advance(11 * 60_000);
      peer.switches.raw_body = raw_body;
      const assertion = await new SignJWT({ ...claims, jti: unique('jti'), iat: seconds() + 60, exp: seconds() + 120 })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'test' })
        .sign(peer.signing_key);
      await expectNamedRefusal({ grant_type: JWT_BEARER, assertion, client_id, client_secret });
      const tested = await owner.api('POST', '/organization/sso/test', { body: ssoFields(peer) });
      assert.ok([200, 422].includes(tested.status), `${tested.status} ${tested.text} for ${raw_body}`);
    }),
    { ...RUNS, numRuns: 60 },
  );
});

test('an issuer that never answers delays only those who ask for it', async () => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  peer.switches.hold = hold;
  server.advance(11 * 60_000);
  const ask = async ({ client, provider }: typeof tenant, of: typeof peer) => {
    const given = { iss: of.url, sub: 'alice', aud: issuer, client_id: client.client_id, jti: unique('jti') };
    const assertion = await new SignJWT({ ...given, iat: seconds(), exp: seconds() + 100 })
      .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'test' })
      .sign(of.signing_key);
    assert.ok(provider.id);
    const { client_id, client_secret } = client;
    return postForm(server, '/oauth/token', { grant_type: JWT_BEARER, assertion, client_id, client_secret });
  };
  const waiting = Array.from({ length: 30 }, () => ask(tenant, peer));
  // Another project exchanges, and the waiting project itself reads and manages, while all of them wait.
  const { access_token } = expectResponse(await ask(other, good), 200);
  assert.ok(access_token);
  expectResponse(await server.api('GET', `/projects/${tenant.id}/oauth-clients`, { key: tenant.keys.admin }), 200);
  const { keys } = await makeTenant(server);
  expectResponse(await server.api('GET', '/custom-tools', { key: keys.read }), 200);
  release();
  await Promise.all(waiting);
});
