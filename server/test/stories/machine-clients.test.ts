// OAuth clients that are machines: grant types, keys, and sessions without a member (client_credentials).

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { SignJWT } from 'jose';
import { legacy } from '../mcp/rpc.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { makeClient, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';

const customer = await startCustomer();
const server = await startOAuthServer([customer]);
const { api, app } = server;
after(() => customer.close());
customer.respond('*', { body: { ok: true } });
const tenant = await makeTenant(server);
const path = `/projects/${tenant.id}/oauth-clients`;
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const issuer = app.config.public_url;
const machine = { redirect_uris: [], grant_types: ['client_credentials'] };
beforeEach(() => server.advance(120_000));

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const jwkOf = ({ publicKey }: { publicKey: any }, more: object = {}) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...more,
});
const jwks = { keys: [jwkOf(rsa), jwkOf(ec, { kid: 'ec-1', use: 'sig' }), jwkOf(ed)] };

const seconds = () => Math.floor(app.now() / 1000);

/** As the official MCP client makes it: no kid. */
function sign(client_id: string, claims: object = {}, header: object = {}, key: any = ec.privateKey): Promise<string> {
  const all = { iss: client_id, sub: client_id, aud: issuer, exp: seconds() + 300, iat: seconds(), jti: unique('jti') };
  return new SignJWT({ ...all, ...claims }).setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header }).sign(key);
}

const token = (fields: Record<string, string>, headers = {}) =>
  postForm(server, '/oauth/token', { grant_type: 'client_credentials', ...fields }, headers);
const byAssertion = async (assertion: string | Promise<string>, more: Record<string, string> = {}) =>
  token({ client_assertion: await assertion, client_assertion_type: TYPE, ...more });
const bySecret = (client: any, more: Record<string, string> = {}) =>
  token({ client_id: client.client_id, client_secret: client.client_secret, ...more });

test('a machine gets a session of 15 minutes for itself, without a refresh token and a member', async () => {
  const client = await makeClient(server, tenant.id, machine);
  const open = await makeTool(server, tenant.keys.write, customer);
  const ofMember = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  const response = await bySecret(client, { scope: 'mcp read', resource: `${issuer}/api/v1/mcp/${tenant.id}` });
  const { access_token, ...rest } = expectResponse(response, 200);
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 900, scope: 'mcp' });
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const listed = (await legacy(server, access_token, 'tools/list')).body.result.tools.map(({ name }: any) => name);
  assert.ok(listed.includes(open.name) && !listed.includes(ofMember.name));
  expectResponse(await execute(server, access_token, open.id), 200);
  expectRefusal(await execute(server, access_token, ofMember.id), 403);
  // It manages nothing.
  expectRefusal(await api('GET', '/custom-tools', { key: access_token }), 403);
  expectRefusal(await api('POST', `/projects/${tenant.id}/api-keys`, { key: access_token, body: {} }), 403);
  server.advance(900_001);
  expectRefusal(await execute(server, access_token, open.id), 401);
});

test('the call log has the session of a machine, and no member or key', async () => {
  const client = await makeClient(server, tenant.id, machine);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const { access_token } = expectResponse(await bySecret(client), 200);
  const { call_id } = expectResponse(await execute(server, access_token, tool.id), 200);
  await app.batch_writer.flush();
  const call = expectResponse(
    await api('GET', `/projects/${tenant.id}/tool-calls/${call_id}`, { key: tenant.keys.read }),
    200,
  );
  assert.deepEqual([call.api_key_id, call.member_id], [null, null]);
  assert.match(call.session_id, /^ses_/);
});

test('grant types, keys and redirect URIs of a client must fit each other', async () => {
  const ca = 'https://keys.example.com/jwks.json';
  const privateKey = { ...(rsa.privateKey.export({ format: 'jwk' }) as object) };
  const cases: [object, string][] = [
    [{ redirect_uris: [] }, 'redirect_uris'],
    [{ grant_types: ['authorization_code'] }, 'redirect_uris'],
    [{ ...machine, is_public: true }, 'grant_types'],
    [{ ...machine, grant_types: ['password'] }, 'grant_types.0'],
    [{ ...machine, grant_types: ['client_credentials', 'client_credentials'] }, 'grant_types'],
    [{ ...machine, jwks, jwks_uri: ca }, 'jwks_uri'],
    [{ redirect_uris: ['https://a.example.com/'], is_public: true, jwks }, 'jwks'],
    [{ redirect_uris: ['https://a.example.com/'], is_public: true, jwks_uri: ca }, 'jwks_uri'],
    [{ ...machine, jwks: { keys: [] } }, 'jwks.keys'],
    [{ ...machine, jwks: {} }, 'jwks.keys'],
    [{ ...machine, jwks: { keys: [privateKey] } }, 'jwks.keys.0'],
    [{ ...machine, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, 'jwks.keys.0'],
    [{ ...machine, jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }] } }, 'jwks.keys.0'],
    [{ ...machine, jwks: { keys: [{ kty: 'RSA', n: jwkOf(rsa).n, e: 'AQ' }] } }, 'jwks.keys.0'],
    [{ ...machine, jwks: { keys: [jwkOf(ec, { kid: 'a' }), jwkOf(ec, { kid: 'a' })] } }, 'jwks.keys.1.kid'],
    [{ ...machine, jwks: { keys: [jwkOf(ec, { kid: 'a\0' })] } }, 'jwks.keys.0.kid'],
    [{ ...machine, jwks_uri: 'http://keys.example.com/' }, 'jwks_uri'],
    [{ ...machine, jwks_uri: 'https://10.0.0.1/jwks' }, 'jwks_uri'],
    [{ ...machine, jwks_uri: 'https://u:p@keys.example.com/' }, 'jwks_uri'],
  ];
  for (const [fields, field] of cases) {
    const refusal = expectRefusal(
      await api('POST', path, { key: tenant.keys.webhook, body: { name: 'm', ...fields } }),
      422,
    );
    assert.equal(refusal.details.field, field, JSON.stringify(fields).slice(0, 100));
    assert.ok(!JSON.stringify(refusal).includes(String((privateKey as any).d)));
  }
});

test('a client with keys has no secret, and none that it had is accepted any more', async () => {
  const client = await makeClient(server, tenant.id, machine);
  const changed = expectResponse(
    await api('PATCH', `${path}/${client.id}`, { key: tenant.keys.webhook, body: { jwks } }),
    200,
  );
  assert.deepEqual([changed.jwks, changed.secret_last4], [jwks, null]);
  assert.equal(expectResponse(await bySecret(client), 401).error, 'invalid_client');
  expectResponse(await byAssertion(sign(client.client_id)), 200);
  const rotated = await api('POST', `${path}/${client.id}/rotate-secret`, { key: tenant.keys.webhook });
  assert.equal(expectRefusal(rotated, 422).details.field, 'jwks');
  expectResponse(await api('PATCH', `${path}/${client.id}`, { key: tenant.keys.webhook, body: { jwks: null } }), 200);
  assert.equal(expectResponse(await byAssertion(sign(client.client_id)), 401).error, 'invalid_client');
  const made = await makeClient(server, tenant.id, { ...machine, jwks });
  assert.deepEqual([made.client_secret, made.secret_last4], [null, null]);
});

test('an assertion is accepted from each kind of key, with and without kid and client_id, for the issuer and the token endpoint', async () => {
  const { client_id } = await makeClient(server, tenant.id, { ...machine, jwks });
  const endpoint = `${issuer}/api/v1/oauth/token`;
  for (const [claims, header, key] of [
    [{}, {}, ec],
    [{ aud: endpoint }, { kid: 'ec-1' }, ec],
    [{ aud: [issuer] }, { typ: undefined }, ec],
    [{ aud: [issuer, endpoint], iat: undefined }, {}, ec],
    [{}, { alg: 'RS256' }, rsa],
    [{}, { alg: 'PS256' }, rsa],
    [{}, { alg: 'EdDSA' }, ed],
  ] as const)
    for (const more of [{}, { client_id }])
      expectResponse(await byAssertion(sign(client_id, claims, header, key.privateKey), more as any), 200);
});

test('without any credential of a client the answer is invalid_client; a code without client_id lacks a parameter', async () => {
  const bearer = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' };
  for (const fields of [{}, bearer]) assert.equal(expectResponse(await token(fields), 401).error, 'invalid_client');
  const code = { grant_type: 'authorization_code', code: 'x' };
  assert.equal(expectResponse(await token(code), 400).error, 'invalid_request');
});

test('an assertion that breaks a rule is refused as invalid_client with the reason', async () => {
  const { client_id } = await makeClient(server, tenant.id, { ...machine, jwks });
  const secretClient = await makeClient(server, tenant.id, machine);
  const cut = async (change: (parts: string[]) => void) => {
    const parts = (await sign(client_id)).split('.');
    change(parts);
    return parts.join('.');
  };
  const cases: [() => string | Promise<string>, RegExp][] = [
    [() => 'x', /is not a JWT/],
    [() => 'a.b.c', /is not a JWT/],
    [() => cut((parts) => parts.splice(2, 1, '')), /is not a JWT/],
    [() => cut((parts) => parts.splice(2, 1, `${parts[2]?.slice(0, -4)}AAAA`)), /signature/],
    [() => sign(client_id, { iss: 'else' }), /iss and as sub/],
    [() => sign('oac_0000000000000000000000'), /not a client_id/],
    [() => sign(secretClient.client_id), /without jwks/],
    [() => sign(client_id, { aud: 'https://else.example.com' }), /as aud/],
    [() => sign(client_id, { aud: [] }), /as aud/],
    [() => sign(client_id, { aud: [issuer, 'https://else.example.com'] }), /as aud/],
    [() => sign(client_id, { exp: undefined }), /must have exp/],
    [() => sign(client_id, { exp: seconds() - 1 }), /has expired/],
    [() => sign(client_id, { exp: seconds() + 4000 }), /within an hour/],
    [() => sign(client_id, { iat: seconds() + 500 }), /in the future/],
    [() => sign(client_id, { nbf: seconds() + 500 }), /in the future/],
    [() => sign(client_id, { jti: undefined }), /jti/],
    [() => sign(client_id, { jti: 'a\0b' }), /jti/],
    [() => sign(client_id, {}, {}, other.privateKey), /signature/],
    [() => sign(client_id, {}, { kid: 'unknown' }), /does not have/],
    [() => sign(client_id, {}, { typ: 'oauth-id-jag+jwt' }), /typ/],
    [() => sign(client_id, {}, { typ: { toString: 'JWT' } }), /typ/],
    [() => sign(client_id, {}, { jwk: jwkOf(other) }, other.privateKey), /header/],
    [() => sign(client_id, {}, { alg: 'HS256' }, Buffer.from(JSON.stringify(jwkOf(ec)))), /ES256, ES384/],
  ];
  for (const [assertion, reason] of cases) {
    server.advance(60_000);
    const body = expectResponse(await byAssertion(assertion()), 401);
    assert.equal(body.error, 'invalid_client');
    assert.match(body.error_description, reason);
  }
  const foreign = expectResponse(await byAssertion(sign(client_id), { client_id: secretClient.client_id }), 401);
  assert.match(foreign.error_description, /client_id of the request/);
  for (const [fields, field] of [
    [{ client_assertion: await sign(client_id) }, /client_assertion_type/],
    [{ client_assertion_type: TYPE }, /client_assertion/],
    [{ client_assertion: await sign(client_id), client_assertion_type: TYPE, client_secret: 'x' }, /only way/],
  ] as const)
    assert.match(expectResponse(await token(fields as any), 400).error_description, field);
});

test('an assertion works once, also when it is sent twice at the same time', async () => {
  const { client_id } = await makeClient(server, tenant.id, { ...machine, jwks });
  const assertion = await sign(client_id);
  const responses = await Promise.all([1, 2, 3, 4, 5].map(() => byAssertion(assertion)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401, 401, 401, 401]);
  // Another client may use the same jti.
  const second = await makeClient(server, tenant.id, { ...machine, jwks });
  for (const id of [second.client_id]) {
    const jti = JSON.parse(Buffer.from(assertion.split('.')[1] as string, 'base64url').toString()).jti;
    expectResponse(await byAssertion(sign(id, { jti })), 200);
  }
});

test('keys at an address are fetched through the address guard, once in 10 minutes, and once a minute for an unknown kid', async () => {
  let keys: object[] = [jwkOf(ec, { kid: 'one' })];
  customer.respond('/jwks.json', () => ({ body: { keys } }));
  const fetches = () => customer.requests.filter((request) => request.path === '/jwks.json').length;
  const { client_id } = await makeClient(server, tenant.id, { ...machine, jwks_uri: `${customer.url}/jwks.json` });
  expectResponse(await byAssertion(sign(client_id)), 200);
  expectResponse(await byAssertion(sign(client_id, {}, { kid: 'one' })), 200);
  assert.equal(fetches(), 1);
  keys = [jwkOf(other, { kid: 'two' })];
  // Within the minute it is not asked again.
  expectResponse(await byAssertion(sign(client_id, {}, { kid: 'two' }, other.privateKey)), 401);
  assert.equal(fetches(), 1);
  server.advance(60_000);
  expectResponse(await byAssertion(sign(client_id, {}, { kid: 'two' }, other.privateKey)), 200);
  assert.equal(fetches(), 2);
  expectResponse(await byAssertion(sign(client_id, {}, { kid: 'one' })), 401);
  server.advance(600_000);
  expectResponse(await byAssertion(sign(client_id, {}, { kid: 'two' }, other.privateKey)), 200);
  assert.equal(fetches(), 3);
});

test('a key set that is missing, broken, huge or redirected is a refusal with the reason', async () => {
  for (const [response, reason] of [
    [{ status: 404, body: 'no' }, /status 404/],
    [{ status: 302, headers: { location: `${customer.url}/jwks.json` }, body: '' }, /status 302/],
    [{ body: 'not json' }, /not valid JSON/],
    [{ body: { keys: 'x' } }, /no list of keys/],
    [{ body: { keys: Array.from({ length: 101 }, () => ({})) } }, /more than 100/],
    [{ body: { keys: [{ kty: 'EC', x: 'A'.repeat(200_000) }] } }, /larger than/],
    [{ body: { keys: [null, 1, { kty: 'EC', crv: 'P-256' }] } }, /does not have/],
    [{ reset: true }, /cannot be fetched/],
  ] as const) {
    const at = `/${unique('jwks')}`;
    customer.respond(at, response as any);
    const { client_id } = await makeClient(server, tenant.id, { ...machine, jwks_uri: customer.url + at });
    assert.match(expectResponse(await byAssertion(sign(client_id)), 401).error_description, reason);
    server.advance(60_000);
  }
});

test('only a client with the grant type gets such a session, and it gets nothing else', async () => {
  const app_client = await makeClient(server, tenant.id);
  assert.equal(expectResponse(await bySecret(app_client), 400).error, 'unauthorized_client');
  const client = await makeClient(server, tenant.id, machine);
  const { client_id, client_secret } = client;
  const code = await token({ grant_type: 'authorization_code', code: 'x', client_id, client_secret });
  assert.equal(expectResponse(code, 400).error, 'unauthorized_client');
  assert.equal(expectResponse(await bySecret(client, { scope: 'read' }), 400).error, 'invalid_scope');
  const elsewhere = await makeTenant(server);
  for (const resource of [
    `${issuer}/api/v1/mcp/${elsewhere.id}`,
    'https://else.example.com/mcp',
    `${issuer}/api/v1/mcp/toolsets/none`,
  ])
    assert.equal(expectResponse(await bySecret(client, { resource }), 400).error, 'invalid_target');
});

test('a machine sees the toolsets of its client, and of the address that it asked for', async () => {
  const tenant = await makeTenant(server);
  const [one, , three] = [
    await makeTool(server, tenant.keys.write, customer, { name: 'one', tags: ['a'] }),
    await makeTool(server, tenant.keys.write, customer, { name: 'two', tags: ['a', 'b'] }),
    await makeTool(server, tenant.keys.write, customer, { name: 'three' }),
  ];
  const a = await makeToolset(server, tenant.id, { slug: 'set-a', tags: ['a'] });
  const b = await makeToolset(server, tenant.id, { slug: 'set-b', tags: ['b'] });
  const seen = async (client: any, more: Record<string, string> = {}) => {
    const { access_token } = expectResponse(await bySecret(client, more), 200);
    const { tools } = (await legacy(server, access_token, 'tools/list')).body.result;
    return tools.map(({ name }: any) => name).sort();
  };
  const free = await makeClient(server, tenant.id, machine);
  const narrow = await makeClient(server, tenant.id, { ...machine, toolset_ids: [a.id] });
  const none = await makeClient(server, tenant.id, { ...machine, toolset_ids: [] });
  assert.deepEqual(await seen(free), ['one', 'three', 'two']);
  assert.deepEqual(await seen(narrow), ['one', 'two']);
  assert.deepEqual(await seen(none), []);
  const resource = `${issuer}/api/v1/mcp/${tenant.id}/toolsets/${b.slug}`;
  assert.deepEqual(await seen(free, { resource }), ['two']);
  assert.deepEqual(await seen(narrow, { resource }), ['two']);
  // A toolset that is a scope: without toolsets of its own a machine has what `mcp` is.
  await makeToolset(server, tenant.id, { slug: 'base', tool_ids: [three.id], grant: 'baseline' });
  assert.deepEqual(await seen(free), ['three']);
  assert.deepEqual(await seen(narrow), ['one', 'two']);
  const effective = async (query: string) =>
    expectResponse(await api('GET', `/projects/${tenant.id}/effective-tools?${query}`, { key: tenant.keys.read }), 200)
      .data.filter(({ is_allowed }: any) => is_allowed)
      .map(({ name }: any) => name)
      .sort();
  assert.deepEqual(await effective(`oauth_client_id=${free.id}`), ['three']);
  assert.deepEqual(await effective(`oauth_client_id=${narrow.id}`), ['one', 'two']);
  expectResponse(await bySecret(narrow, { resource }), 200);
  const { rows } = await app.pool.query(
    'select id from client_sessions where client_id = $1 order by created_at desc',
    [narrow.id],
  );
  assert.deepEqual(await effective(`session_id=${rows[0].id}`), ['two']);
  assert.ok(one.id);
});

test('a session of a machine can be introspected and revoked, and ends with its client', async () => {
  const tool = await makeTool(server, tenant.keys.write, customer);
  const client = await makeClient(server, tenant.id, machine);
  const { client_id, client_secret } = client;
  const session = async () => expectResponse(await bySecret(client), 200).access_token as string;
  const first = await session();
  const about = async (given: string, as = client) =>
    expectResponse(
      await postForm(server, '/oauth/introspect', {
        token: given,
        client_id: as.client_id,
        client_secret: as.client_secret,
      }),
      200,
    );
  const { active, sub, scope, project_id } = await about(first);
  assert.deepEqual([active, sub, scope, project_id], [true, client_id, 'mcp', tenant.id]);
  assert.deepEqual(await about(first, await makeClient(server, tenant.id, machine)), { active: false });
  expectResponse(await execute(server, first, tool.id), 200);
  expectResponse(await postForm(server, '/oauth/revoke', { token: first, client_id, client_secret }), 200);
  expectRefusal(await execute(server, first, tool.id), 401);
  assert.deepEqual(await about(first), { active: false });
  const second = await session();
  expectResponse(await execute(server, second, tool.id), 200);
  const body = { grant_types: [] };
  expectResponse(await api('PATCH', `${path}/${client.id}`, { key: tenant.keys.webhook, body }), 200);
  expectRefusal(await execute(server, second, tool.id), 401);
  expectResponse(await api('PATCH', `${path}/${client.id}`, { key: tenant.keys.webhook, body: machine }), 200);
  const third = await session();
  expectResponse(await api('DELETE', `${path}/${client.id}`, { key: tenant.keys.admin }), 204);
  expectRefusal(await execute(server, third, tool.id), 401);
});
