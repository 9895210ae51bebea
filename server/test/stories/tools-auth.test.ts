// How calls authenticate to the customer's API: every auth_strategy; secrets are sealed, rotated and never returned.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { CompactEncrypt, importJWK } from 'jose';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeMemberTenant(server);
const callKey = tenant.integrationKey.key;

const planted: string[] = [];
const plant = (word: string) => {
  planted.push(unique(`planted-${word}`));
  return planted.at(-1) as string;
};
const make = (auth_strategy: string, encrypted_auth_secret: string, fields: object = {}) =>
  makeTool(server, tenant.keys.write, customer, { auth_strategy, encrypted_auth_secret, ...fields });
const sent = (tool: Parameters<typeof received>[3], given: unknown = {}, key = callKey) =>
  received(server, customer, key, tool, given);
const patch = async (id: string, body: object) =>
  expectResponse(await server.api('PATCH', `/custom-tools/${id}`, { key: tenant.keys.write, body }), 200);

/** From the contract alone: what this request must be signed with. */
function signatureOf(request: ReceivedRequest, secret: string): string {
  const of = (name: string) => String(request.headers[`x-toolgate-${name}`] ?? '');
  const digest = createHash('sha256').update(request.body).digest('hex');
  const target = [request.method, request.headers.host, request.path, request.query, digest];
  const ids = [of('project-id'), of('integration-id'), of('member-id')];
  const canonical = ['v1', of('timestamp'), of('request-id'), ...target, ...ids].join('\n');
  return `v1=${createHmac('sha256', secret).update(canonical).digest('hex')}`;
}

async function seal(text: string, header: object = {}): Promise<string> {
  const { jwk } = expectResponse(await server.api('GET', '/encryption-key', { key: tenant.keys.write }), 200);
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', ...header })
    .encrypt(await importJWK(jwk, 'ECDH-ES'));
}

test('none sends no credential; bearer_token, basic and api_key_header send the secret in their header', async () => {
  const none = await sent(await makeTool(server, tenant.keys.write, customer));
  assert.deepEqual([none.headers.authorization, none.headers['x-toolgate-signature']], [undefined, undefined]);
  const bearer = plant('bearer');
  assert.equal((await sent(await make('bearer_token', bearer))).headers.authorization, `Bearer ${bearer}`);
  const basic = `us er:${plant('pass')}:ü`;
  const expected = `Basic ${Buffer.from(basic).toString('base64')}`;
  assert.equal((await sent(await make('basic', basic))).headers.authorization, expected);
  const apiKey = plant('api-key');
  assert.equal((await sent(await make('api_key_header', apiKey))).headers['x-api-key'], apiKey);
  const named = await make('api_key_header', `Token ${apiKey}`, { auth_config: { header_name: 'Authorization' } });
  assert.equal((await sent(named)).headers.authorization, `Token ${apiKey}`);
});

test('hmac_signature signs exactly what the customer receives, for a key, an integration and a member', async () => {
  const secret = plant('hmac-ü');
  const { session_token } = await makeSession(server, tenant, 'Zoë / 🐝');
  const shapes = [
    {},
    { context_in: 'headers' },
    {
      method: 'GET',
      endpoint_path: '/signed/{{user}}?x=1',
      input_schema: { type: 'object', properties: { user: {} } },
    },
    { method: 'DELETE' },
  ];
  for (const shape of shapes) {
    const tool = await make('hmac_signature', secret, shape);
    for (const key of [tenant.keys.read, callKey, session_token]) {
      const request = await sent(tool, { user: "a/b c'", q: 'ü&=+' }, key);
      const { 'x-toolgate-signature': signature, 'x-toolgate-timestamp': timestamp } = request.headers;
      assert.equal(signature, signatureOf(request, secret));
      assert.equal(request.headers['x-toolgate-project-id'], tenant.id);
      assert.ok(Math.abs(Number(timestamp) - server.app.now() / 1000) < 60);
    }
  }
});

test('a new signing secret signs from the next call on, and the previous one for 24 more hours', async () => {
  const [one, two, three] = [plant('first'), plant('second'), plant('third')];
  const tool = await make('hmac_signature', one);
  await sent(tool);
  const rotated = await patch(tool.id, { encrypted_auth_secret: two });
  assert.equal(rotated.version, 2);
  assert.ok(rotated.previous_secret_ends_at > new Date(server.app.now()).toISOString());
  const signatures = async () => {
    const request = await sent(tool);
    const entries = String(request.headers['x-toolgate-signature']).split(',');
    return entries.map((entry) => [one, two, three].findIndex((secret) => signatureOf(request, secret) === entry) + 1);
  };
  assert.deepEqual(await signatures(), [2, 1]);
  await patch(tool.id, { description: 'a change of something else ends no rotation' });
  assert.deepEqual(await signatures(), [2, 1]);
  await patch(tool.id, { encrypted_auth_secret: three });
  assert.deepEqual(await signatures(), [3, 2], 'never more than two');
  server.advance(24 * 3_600_000 + 1000);
  assert.deepEqual(await signatures(), [3]);
  const read = expectResponse(await server.api('GET', `/custom-tools/${tool.id}`, { key: tenant.keys.read }), 200);
  assert.equal(read.previous_secret_ends_at, null);
  server.advance(-(24 * 3_600_000 + 1000));
});

test('a secret of another strategy is replaced at once', async () => {
  const tool = await make('bearer_token', plant('old-bearer'));
  const fresh = plant('new-bearer');
  assert.equal((await patch(tool.id, { encrypted_auth_secret: fresh })).previous_secret_ends_at, null);
  assert.equal((await sent(tool)).headers.authorization, `Bearer ${fresh}`);
  await patch(tool.id, { auth_strategy: 'none', encrypted_auth_secret: null });
  assert.equal((await sent(tool)).headers.authorization, undefined);
});

const elsewhere = 'https://elsewhere.example.com';
const oauth = (token_url: string) => ({ auth_config: { token_url, client_id: 'me' } });
const tokens = 'https://idp.example.com/token';
for (const [strategy, more, moved] of [
  ['bearer_token', {}, { base_url: elsewhere }],
  ['api_key_header', {}, { base_url: elsewhere }],
  ['basic', {}, { base_url: elsewhere }],
  ['oauth2_client_credentials', oauth(tokens), { base_url: elsewhere }],
  ['oauth2_client_credentials', oauth(tokens), oauth(`${elsewhere}/token`)],
  ['oauth2_client_credentials', oauth(tokens), oauth(`${tokens}-of-mine`)],
] as const) {
  test(`a stored secret of ${strategy} is not sent elsewhere: ${Object.keys(moved)} can change only with a new secret`, async () => {
    const secret = strategy === 'basic' ? 'user:old' : 'old';
    const tool = await make(strategy, secret, more);
    const change = (body: object) => server.api('PATCH', `/custom-tools/${tool.id}`, { key: tenant.keys.write, body });
    const { error } = expectResponse(await change(moved), 422, 'Validation error');
    assert.equal(error.details.field, 'encrypted_auth_secret');
    assert.match(error.details.problems[0].message, /must be sent again/);
    const read = expectResponse(await server.api('GET', `/custom-tools/${tool.id}`, { key: tenant.keys.read }), 200);
    assert.deepEqual([read.version, read.base_url], [1, customer.url]);
    expectResponse(await change({ ...moved, encrypted_auth_secret: `${secret}-again` }), 200);
  });
}

test('another spelling of the same origin is no change, and a signing secret may sign for another host', async () => {
  const bearer = await make('bearer_token', plant('stays'), { base_url: elsewhere });
  assert.equal((await patch(bearer.id, { base_url: 'https://ELSEWHERE.example.com:443/' })).has_auth_secret, true);
  const secret = plant('signs');
  const tool = await make('hmac_signature', secret, { base_url: elsewhere });
  const moved = await patch(tool.id, { base_url: customer.url });
  const request = await sent({ ...tool, ...moved });
  assert.equal(request.headers['x-toolgate-signature'], signatureOf(request, secret));
});

test('a secret is used only for the strategy it was given for, and none stores no secret', async () => {
  const tool = await make('hmac_signature', plant('for-signing'));
  const change = (body: object) => server.api('PATCH', `/custom-tools/${tool.id}`, { key: tenant.keys.write, body });
  for (const auth_strategy of ['bearer_token', 'api_key_header']) {
    const { error } = expectResponse(await change({ auth_strategy }), 422, 'Validation error');
    assert.equal(error.details.field, 'encrypted_auth_secret');
  }
  await patch(tool.id, { encrypted_auth_secret: plant('rotated') });
  const none = await patch(tool.id, { auth_strategy: 'none' });
  assert.deepEqual([none.has_auth_secret, none.previous_secret_ends_at], [false, null]);
  const message = "encrypted_auth_secret is required when auth_strategy is 'hmac_signature'";
  expectResponse(await change({ auth_strategy: 'hmac_signature' }), 400, message);
  const bearer = await make('bearer_token', plant('for-sending'));
  expectResponse(
    await server.api('PATCH', `/custom-tools/${bearer.id}`, {
      key: tenant.keys.write,
      body: { auth_strategy: 'hmac_signature' },
    }),
    400,
    message,
  );
  assert.equal((await make('none', plant('for-nothing'))).has_auth_secret, false);
});

test('a JWE encrypted to /encryption-key is opened for a call, and a damaged one is refused then', async () => {
  const secret = plant('sealed');
  const tool = await make('hmac_signature', await seal(secret));
  const request = await sent(tool);
  assert.equal(request.headers['x-toolgate-signature'], signatureOf(request, secret));
  assert.equal((await sent(await make('bearer_token', await seal(secret)))).headers.authorization, `Bearer ${secret}`);

  const [head, key, nonce, text = '', tag] = (await seal(secret)).split('.');
  const damaged = [head, key, nonce, (text[0] === 'A' ? 'B' : 'A') + text.slice(1), tag].join('.');
  const unusable = [damaged, await seal(''), await seal('a\r\nX-Evil: 1'), 'eyJhbGciOiJkaXIifQ.a.b.c.d'];
  for (const jwe of unusable) {
    const before = customer.requests.length;
    const broken = await make('bearer_token', jwe);
    expectResponse(await execute(server, callKey, broken.id), 500, 'Failed to decrypt auth secret');
    assert.equal(customer.requests.length, before);
  }
});

// ---- oauth2_client_credentials
const tokenTool = (token_path: string, fields: object = {}, config: object = {}) =>
  make('oauth2_client_credentials', plant('client-secret'), {
    auth_config: { token_url: customer.url + token_path, client_id: 'me@acme', ...config },
    ...fields,
  });
const tokenResponse = (path: string, more: object = { expires_in: 3600 }) => {
  let count = 0;
  customer.respond(path, () => {
    count += 1;
    return { body: { access_token: `${path.slice(1)}-${count}`, token_type: 'Bearer', ...more } };
  });
};

test('a client credentials token is fetched once, shared by concurrent calls, and fetched again before it ends', async () => {
  tokenResponse('/token-a');
  const tool = await tokenTool('/token-a', {}, { scope: 'orders read' });
  const responses = await Promise.all(Array.from({ length: 10 }, () => execute(server, callKey, tool.id)));
  for (const response of responses) expectResponse(response, 200);
  assert.equal(customer.at('/token-a').length, 1);
  const [request] = customer.at('/token-a') as [ReceivedRequest];
  assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(
    [...new URLSearchParams(request.body.toString())],
    [
      ['grant_type', 'client_credentials'],
      ['scope', 'orders read'],
    ],
  );
  const basic = Buffer.from(String(request.headers.authorization).slice(6), 'base64').toString();
  assert.equal(basic, `me%40acme:${planted.at(-1)}`);
  for (const { headers } of customer.at(tool.endpoint_path)) assert.equal(headers.authorization, 'Bearer token-a-1');

  server.advance(3600_000 - 59_000);
  assert.equal((await sent(tool)).headers.authorization, 'Bearer token-a-2');
  server.advance(-(3600_000 - 59_000));
});

test('a change of the project keeps the token; a new secret fetches another', async () => {
  tokenResponse('/token-b');
  const tool = await tokenTool('/token-b');
  await sent(tool);
  await makeTool(server, tenant.keys.write, customer);
  assert.equal((await sent(tool)).headers.authorization, 'Bearer token-b-1');
  await patch(tool.id, { encrypted_auth_secret: plant('client-secret') });
  assert.equal((await sent(tool)).headers.authorization, 'Bearer token-b-2');
});

test('a token that the customer refuses is fetched again by a later call, never in a loop', async () => {
  tokenResponse('/token-c');
  const tool = await tokenTool('/token-c');
  customer.respond(tool.endpoint_path, { status: 401 });
  for (let i = 0; i < 3; i += 1) expectResponse(await execute(server, callKey, tool.id), 502);
  assert.deepEqual([customer.at('/token-c').length, customer.at(tool.endpoint_path).length], [1, 3]);
  server.advance(31_000);
  expectResponse(await execute(server, callKey, tool.id), 502);
  customer.respond(tool.endpoint_path, {});
  assert.equal((await sent(tool)).headers.authorization, 'Bearer token-c-2');
  server.advance(-31_000);
});

test('a failing token endpoint has its own refusals, sends nothing to the API, and is requested again', async () => {
  const tool = await tokenTool('/token-d', { timeout_ms: 1000 });
  const failures: [object, number, string][] = [
    [
      { status: 401, body: { error: 'invalid_client', you_sent: 'planted' } },
      502,
      'Upstream tool call failed - non-2xx response',
    ],
    [{ reset: true }, 502, 'Upstream tool call failed - connection error'],
    [{ hang: true }, 500, 'Tool execution timed out'],
    [{ body: { token: 'x' } }, 500, 'Tool execution failed'],
    [{ body: { access_token: 'a\r\nb' } }, 500, 'Tool execution failed'],
    [{ body: 'not json' }, 500, 'Tool execution failed'],
  ];
  for (const [response, status, message] of failures) {
    customer.respond('/token-d', response);
    const refused = await execute(server, callKey, tool.id);
    expectResponse(refused, status, message);
    assert.ok(!refused.text.includes('you_sent'));
  }
  assert.deepEqual(customer.at(tool.endpoint_path), []);
  tokenResponse('/token-d', {});
  assert.equal((await sent(tool)).headers.authorization, 'Bearer token-d-1');
});

test('no secret is in any response, in the versions, in the call log or readable in the database', async () => {
  const { api, app } = server;
  await app.batch_writer.flush();
  assert.ok(planted.length > 10, 'hardly any secret was planted');
  const { data } = expectResponse(await api('GET', '/custom-tools?limit=100', { key: tenant.keys.admin }), 200);
  const texts = [JSON.stringify(data)];
  for (const { id } of data)
    texts.push((await api('GET', `/custom-tools/${id}/versions?limit=100`, { key: tenant.keys.read })).text);
  const tables = await app.pool.query("select tablename from pg_tables where schemaname = 'public'");
  for (const { tablename } of tables.rows) {
    const { rows } = await app.pool.query(`select t::text as text from ${tablename} as t`);
    texts.push(...rows.map(({ text }: { text: string }) => text));
  }
  for (const secret of planted) assert.ok(!texts.some((text) => text.includes(secret)), secret);
  assert.ok(data.every((tool: object) => !('auth_secret' in tool) && !('encrypted_auth_secret' in tool)));
});
