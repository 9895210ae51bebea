// Tools that tell the customer's API for whom they call: a signed JWT (member_jwt), and a token that it is exchanged for (token_exchange).

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose';
import { verifyMemberJwt } from '../../../sdk/src/verify-member-jwt.ts';
import { rotateSigningKeys } from '../../src/features/projects/signing-keys/rotate.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { makeClient, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';

const customer = await startCustomer();
const server = await startOAuthServer([customer]);
const { api, app } = server;
after(() => customer.close());
const tenant = await makeTenant(server);
const issuer = `${app.config.public_url}/api/v1/projects/${tenant.id}`;
const audience = 'https://api.example.com';
const { integration, key, session } = await makeMemberSessions(server, tenant.id);
customer.respond('*', { body: { ok: true } });

/** As the customer's API would do it, from nothing but the issuer. */
async function verify(authorization: string | undefined, aud = audience): Promise<JWTPayload & Record<string, any>> {
  const { jwks_uri } = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as any;
  const keys = createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: fetch } as never);
  const token = authorization?.replace(/^Bearer /, '') ?? '';
  const currentDate = new Date(app.now());
  return (await jwtVerify(token, keys, { issuer, audience: aud, algorithms: ['ES256'], currentDate })).payload;
}

test('the JWT of a call names the member, the call and the audience, for 60 seconds', async () => {
  const tool = await makeTool(server, tenant.keys.write, customer, {
    auth_strategy: 'member_jwt',
    auth_config: { audience },
  });
  assert.equal(tool.has_auth_secret, false);
  const token = await session('user_42 ä');
  const { headers } = await received(server, customer, token, tool);
  const claims = await verify(headers.authorization);
  const { iat = 0, exp = 0, jti, ...rest } = claims;
  assert.deepEqual(rest, {
    iss: issuer,
    sub: 'user_42 ä',
    aud: audience,
    project_id: tenant.id,
    integration_id: integration.id,
  });
  assert.equal(exp - iat, 60);
  assert.equal(jti, headers['x-toolgate-request-id'] ?? jti);
  assert.match(jti ?? '', /^call_/);
  assert.ok(!headers.authorization?.includes(token));
  const context = await verifyMemberJwt({ token: headers.authorization ?? '', issuer, audience });
  assert.deepEqual([context.memberId, context.caller, context.callId], ['user_42 ä', null, jti]);
});

test('the preview of such a tool shows that a token will be sent, and none itself', async () => {
  const tools = [
    { auth_strategy: 'member_jwt', auth_config: { audience } },
    {
      auth_strategy: 'token_exchange',
      auth_config: { token_url: `${customer.url}/token`, client_id: 'toolgate' },
      encrypted_auth_secret: 'secret',
    },
  ];
  for (const fields of tools) {
    const tool = await makeTool(server, tenant.keys.write, customer, fields);
    const path = `/custom-tools/${tool.id}/preview`;
    const preview = expectResponse(await api('POST', path, { key: tenant.keys.write, body: {} }), 200);
    assert.equal(preview.headers.authorization, 'Bearer [redacted]', fields.auth_strategy);
  }
});

test('without a member it names the key, or the machine with its client as the actor', async () => {
  const fields = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const tool = await makeTool(server, tenant.keys.write, customer, fields);
  const byKey = await verify((await received(server, customer, key.key, tool)).headers.authorization);
  assert.deepEqual([byKey.sub, byKey.sub_type, byKey.act], [key.id, 'api_key', undefined]);
  const client = await makeClient(server, tenant.id, { redirect_uris: [], grant_types: ['client_credentials'] });
  const { client_id, client_secret } = client;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = expectResponse(await postForm(server, '/oauth/token', form), 200);
  const { authorization } = (await received(server, customer, access_token, tool)).headers;
  const byClient = await verify(authorization);
  assert.deepEqual([byClient.sub, byClient.sub_type, byClient.act], [client_id, 'oauth_client', { sub: client_id }]);
  const context = await verifyMemberJwt({ token: authorization ?? '', issuer, audience });
  assert.deepEqual([context.memberId, context.caller], [null, { type: 'oauth_client', id: client_id }]);
});

test('the JWT is not repeated to the model, and no other audience or issuer is accepted', async () => {
  const fields = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const tool = await makeTool(server, tenant.keys.write, customer, fields);
  customer.respond(tool.endpoint_path, ({ headers }) => ({ body: { echo: headers.authorization } }));
  const token = await session('echo');
  const response = await execute(server, token, tool.id);
  const sent = customer.requests.at(-1)?.headers.authorization ?? '';
  assert.ok(!response.text.includes(sent.slice('Bearer '.length)));
  const wrong = [
    { token: sent, issuer, audience: 'https://else.example.com' },
    { token: sent, issuer: `${issuer}x`, audience, jwks: await (await fetch(`${issuer}/jwks.json`)).json() },
    { token: `${sent.slice(0, -8)}AAAAAAAA`, issuer, audience },
    { token: 'x.y', issuer, audience },
  ];
  for (const options of wrong) await assert.rejects(verifyMemberJwt(options as never), { name: 'SignatureError' });
});

test('the keys of a project are public, and those of another project or of none are not there', async () => {
  const other = await makeTenant(server);
  const { keys } = expectResponse(await api('GET', `/projects/${other.id}/jwks.json`), 200);
  assert.deepEqual(keys, []);
  expectRefusal(await api('GET', '/projects/prj_0000000000000000000000/jwks.json'), 404);
  expectRefusal(await api('GET', '/projects/x/.well-known/openid-configuration'), 404);
  const own = expectResponse(await api('GET', `/projects/${tenant.id}/jwks.json`), 200).keys;
  assert.deepEqual(Object.keys(own[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  const { rows } = await app.pool.query('select private_key from signing_keys where project_id = $1', [tenant.id]);
  assert.match(rows[0].private_key, /^v1\./);
});

test('after a rotation the new key signs, and the old one is published until the overlap ends', async () => {
  const fields = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const tool = await makeTool(server, tenant.keys.write, customer, fields);
  const kidOf = async () => {
    const { authorization = '' } = (await received(server, customer, key.key, tool)).headers;
    await verify(authorization);
    return JSON.parse(Buffer.from(authorization.split(/[ .]/)[1] ?? '', 'base64url').toString()).kid as string;
  };
  const published = async () =>
    expectResponse(await api('GET', `/projects/${tenant.id}/jwks.json`), 200).keys.map(({ kid }: any) => kid);
  const before = await kidOf();
  const [rotated] = await rotateSigningKeys(app, { project_id: tenant.id, overlap_seconds: 120 });
  assert.notEqual(rotated?.kid, before);
  assert.equal(await kidOf(), rotated?.kid);
  assert.deepEqual(await published(), [rotated?.kid, before]);
  server.advance(121_000);
  app.cache.invalidate(tenant.id);
  assert.deepEqual(await published(), [rotated?.kid]);
  const { rows } = await app.pool.query(`select 1 from audit_entries where action = 'signing_key.rotated'`);
  assert.equal(rows.length, 1);
});

test('an exchanged token is sent, and kept by member until it ends', async () => {
  const token_url = `${customer.url}/exchange`;
  const requests = () => customer.requests.filter(({ path }) => path === '/exchange');
  let count = 0;
  customer.respond('/exchange', () => {
    count += 1;
    return { body: { access_token: `exchanged-token-${count}`, expires_in: 600, token_type: 'Bearer' } };
  });
  const tool = await makeTool(server, tenant.keys.write, customer, {
    auth_strategy: 'token_exchange',
    auth_config: { token_url, client_id: 'toolgate', audience: 'orders', scope: 'read' },
    encrypted_auth_secret: 'exchange-secret',
  });
  const [one, two] = [await session('one'), await session('two')];
  const sent = async (token: string) => (await received(server, customer, token, tool)).headers.authorization;
  assert.equal(await sent(one), 'Bearer exchanged-token-1');
  assert.equal(await sent(one), 'Bearer exchanged-token-1');
  assert.equal(await sent(await session('one')), 'Bearer exchanged-token-1');
  assert.equal(await sent(two), 'Bearer exchanged-token-2');
  assert.equal(requests().length, 2);
  const form = new URLSearchParams(requests()[0]?.body.toString());
  const { subject_token, ...rest } = Object.fromEntries(form);
  assert.deepEqual(rest, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    audience: 'orders',
    scope: 'read',
  });
  assert.equal((await verify(subject_token, token_url)).sub, 'one');
  assert.equal(
    requests()[0]?.headers.authorization,
    `Basic ${Buffer.from('toolgate:exchange-secret').toString('base64')}`,
  );
  server.advance(601_000);
  const again = await session('one');
  assert.equal(await sent(again), 'Bearer exchanged-token-3');
});

test('a token endpoint that refuses is a failed call, and its words are not passed on', async () => {
  customer.respond('/refuse', { status: 400, body: { error: 'invalid_grant', secret: 'do-not-show' } });
  const tool = await makeTool(server, tenant.keys.write, customer, {
    auth_strategy: 'token_exchange',
    auth_config: { token_url: `${customer.url}/refuse`, client_id: 'toolgate' },
    encrypted_auth_secret: 'exchange-secret',
  });
  const response = await execute(server, await session('refused'), tool.id);
  assert.equal(response.status, 502, response.text);
  assert.ok(!response.text.includes('do-not-show'));
});

test('what the strategies need is checked when the tool is saved', async () => {
  for (const [fields, field] of [
    [{ auth_strategy: 'member_jwt' }, 'auth_config.audience'],
    [{ auth_strategy: 'member_jwt', auth_config: { audience, token_url: audience } }, 'auth_config.token_url'],
    [{ auth_strategy: 'member_jwt', auth_config: { audience: 'a\0' } }, 'auth_config.audience'],
    [{ auth_strategy: 'token_exchange', auth_config: { client_id: 'c' } }, 'auth_config.token_url'],
    [
      { auth_strategy: 'token_exchange', auth_config: { client_id: 'c', token_url: `${customer.url}/t` } },
      'encrypted_auth_secret',
    ],
    [
      { auth_strategy: 'token_exchange', auth_config: { client_id: 'c', token_url: 'https://10.0.0.1/' } },
      'auth_config.token_url',
    ],
  ] as const) {
    const body = {
      name: 'x',
      base_url: customer.url,
      endpoint_path: '/x',
      input_schema: { type: 'object' },
      ...fields,
    };
    assert.equal(
      expectRefusal(await api('POST', '/custom-tools', { key: tenant.keys.write, body }), 422).details.field,
      field,
    );
  }
});

test('in production only an admin decides where a JWT about a member goes', async () => {
  const { keys } = await makeTenant(server, { environment: 'production' });
  const fields = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const body = { name: 'x', base_url: customer.url, endpoint_path: '/x', input_schema: { type: 'object' }, ...fields };
  expectRefusal(await api('POST', '/custom-tools', { key: keys.write, body }), 403);
  const tool = expectResponse(await api('POST', '/custom-tools', { key: keys.admin, body }), 201);
  const change = (change: object, as: string) => api('PATCH', `/custom-tools/${tool.id}`, { key: as, body: change });
  expectRefusal(await change({ auth_config: { audience: 'https://else.example.com' } }, keys.write), 403);
  expectRefusal(await change({ base_url: 'https://else.example.com' }, keys.write), 403);
  expectResponse(await change({ description: 'Orders' }, keys.write), 200);
});
