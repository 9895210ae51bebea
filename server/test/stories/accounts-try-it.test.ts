// "Try it": a person calls a tool as a marked test, and sees the request before it is sent.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { expectResponse, makeKey } from '../support/make/make.ts';
import { makeOwner, makePerson, type Person } from '../support/make/make-accounts.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;
const owner = await makeOwner(server);
const developer = await makePerson(server, owner, 'developer');
const viewer = await makePerson(server, owner, 'viewer');
const project = owner.project.id;
expectResponse(await owner.api('PATCH', `/projects/${project}`, { body: { plan: 'enterprise' } }), 200);
const { key } = await makeKey(server, project);
const SECRET = 'a-signing-secret-0123456789';

const run = (person: Person, tool: { id: string }, body: object) =>
  person.api('POST', `/custom-tools/${tool.id}/execute`, { project, body });
const preview = (person: Person, tool: { id: string }, body: object) =>
  person.api('POST', `/custom-tools/${tool.id}/preview`, { project, body });
const lastRequest = () => customer.requests.at(-1);

async function logged(call_id: string) {
  await app.batch_writer.flush();
  return expectResponse(await owner.api('GET', `/projects/${project}/tool-calls/${call_id}`), 200);
}

test('a person calls a tool as a test: marked in the request and in the log', async () => {
  const tool = await makeTool(server, key, customer);
  const { call_id } = expectResponse(await run(developer, tool, { arguments: { a: 1 } }), 200);
  assert.equal(lastRequest()?.headers['x-toolgate-test'], 'true');
  const call = await logged(call_id);
  assert.deepEqual(
    [call.is_test, call.account_id, call.api_key_id, call.session_id, call.member_id, call.transport],
    [true, developer.account.id, null, null, null, 'rest'],
  );
});

test('a call with a key is no test, and the log tells both apart', async () => {
  const tool = await makeTool(server, key, customer);
  expectResponse(await run(developer, tool, {}), 200);
  expectResponse(await api('POST', `/custom-tools/${tool.id}/execute`, { key, body: {} }), 200);
  assert.equal(lastRequest()?.headers['x-toolgate-test'], undefined);
  await app.batch_writer.flush();
  const list = async (is_test: string) =>
    expectResponse(await viewer.api('GET', `/projects/${project}/tool-calls?tool_id=${tool.id}${is_test}`), 200).data;
  assert.deepEqual((await list('')).map(({ is_test }: any) => is_test).sort(), [false, true]);
  for (const is_test of [true, false]) {
    const found = await list(`&is_test=${is_test}`);
    assert.deepEqual(
      found.map((call: any) => call.is_test),
      [is_test],
    );
  }
  expectResponse(await viewer.api('GET', `/projects/${project}/tool-calls?is_test=maybe`), 422);
});

test('who tries a tool sees what the model gets and the whole answer, large or small, with the tokens of both', async () => {
  const tool = await makeTool(server, key, customer, { response: { select: ['a'], max_items: { a: 1 } } });
  const headers = { 'content-type': 'application/json' };
  for (const rest of ['x', 'x'.repeat(100_000)])
    for (let round = 0; round < 2; round += 1) {
      customer.respond(tool.endpoint_path, { headers, body: JSON.stringify({ a: [1, 2], rest }) });
      const { body, raw_body, result_tokens, shaped_tokens } = expectResponse(await run(developer, tool, {}), 200);
      assert.deepEqual([body, raw_body], [{ a: [1] }, { a: [1, 2], rest }]);
      assert.ok(shaped_tokens < result_tokens);
    }
  const plain = await makeTool(server, key, customer);
  assert.equal('raw_body' in expectResponse(await run(developer, plain, {}), 200), false);
  const asKey = await api('POST', `/custom-tools/${tool.id}/execute`, { key, body: {} });
  assert.equal('raw_body' in expectResponse(asKey, 200), false);
});

test('a viewer cannot call tools, nor see what they would send', async () => {
  const tool = await makeTool(server, key, customer);
  for (const response of [await run(viewer, tool, {}), await preview(viewer, tool, {})])
    assert.equal(expectResponse(response, 403).error.details.required, 'write');
});

test('a tool that requires a member runs for a test member, who is in the log', async () => {
  const tool = await makeTool(server, key, customer, {
    require_member: true,
    endpoint_path: '/people/{{member_id}}',
    context_in: 'headers',
  });
  expectResponse(await run(developer, tool, {}), 403, 'Member context required for this tool');
  const { call_id } = expectResponse(await run(developer, tool, { member_external_id: 'ada lovelace' }), 200);
  assert.equal(lastRequest()?.path, '/people/ada%20lovelace');
  assert.equal(lastRequest()?.headers['x-toolgate-member-id'], 'ada%20lovelace');
  const { member_id } = await logged(call_id);
  const member = expectResponse(await owner.api('GET', `/members/${member_id}`, { project }), 200);
  assert.equal(member.external_id, 'ada lovelace');
});

test('in production only a test member may be named', async () => {
  const { id } = expectResponse(
    await owner.api('POST', '/projects', { body: { name: 'Live', environment: 'production' } }),
    201,
  );
  const live = await makeKey(server, id);
  const tool = await makeTool(server, live.key, customer, { require_member: true });
  const call = (verb: string, member_external_id: string) =>
    developer.api('POST', `/custom-tools/${tool.id}/${verb}`, { project: id, body: { member_external_id } });
  const before = customer.requests.length;
  for (const verb of ['execute', 'preview']) {
    const refused = expectResponse(await call(verb, 'alice'), 403, 'member_external_id mode disabled in production');
    assert.equal(refused.error.details.reason, 'not_a_test_member');
  }
  assert.equal(customer.requests.length, before);
  expectResponse(await call('execute', 'test_alice'), 200);
});

test('a key names no test member', async () => {
  const tool = await makeTool(server, key, customer);
  for (const verb of ['execute', 'preview']) {
    const body = { member_external_id: 'alice' };
    const response = await api('POST', `/custom-tools/${tool.id}/${verb}`, { key, body });
    assert.equal(expectResponse(response, 422).error.details.field, 'member_external_id');
  }
});

test('a test call with an Idempotency-Key runs once for each person', async () => {
  const tool = await makeTool(server, key, customer);
  const before = customer.requests.length;
  const call = (person: Person) =>
    person.api('POST', `/custom-tools/${tool.id}/execute`, { project, body: {}, headers: { 'idempotency-key': 'k1' } });
  const [first, again, other] = [await call(developer), await call(developer), await call(owner)];
  assert.equal(again.body.call_id, first.body.call_id);
  assert.notEqual(other.body.call_id, first.body.call_id);
  assert.equal(customer.requests.length - before, 2);
});

test('the preview is the request that is sent: URL, body, canonical string and signature, without sending it', async () => {
  const tool = await makeTool(server, key, customer, {
    require_member: true,
    endpoint_path: '/orders/{{id}}?expand=lines',
    input_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret: SECRET,
    headers: { 'X-Region': 'eu' },
  });
  const body = { arguments: { id: 'a/b', note: 'ü' }, member_external_id: 'ada' };
  const before = customer.requests.length;
  const shown = expectResponse(await preview(developer, tool, body), 200);
  assert.equal(customer.requests.length, before);
  assert.deepEqual(shown.problems, []);
  assert.equal(shown.url, `${customer.url}/orders/a%2Fb?expand=lines`);
  assert.equal(shown.headers['x-region'], 'eu');
  assert.equal(shown.headers['x-toolgate-test'], 'true');
  const expected = createHmac('sha256', SECRET).update(shown.canonical_string).digest('hex');
  assert.equal(shown.signature, `v1=${expected}`);
  assert.ok(!JSON.stringify(shown).includes(SECRET));

  expectResponse(await run(developer, tool, body), 200);
  const sent = lastRequest();
  assert.equal(`${customer.url}${sent?.path}?${sent?.query}`, shown.url);
  assert.equal(sent?.body.toString(), shown.body);
  const names = Object.keys(sent?.headers ?? {}).filter(
    (name) => !['accept-encoding', 'connection', 'content-length'].includes(name),
  );
  assert.deepEqual(Object.keys(shown.headers).sort(), names.sort());
});

for (const [auth_strategy, header, secret, fields] of [
  ['bearer_token', 'authorization', 'token-0123456789', {}],
  ['basic', 'authorization', 'user:password-0123', {}],
  ['api_key_header', 'x-shop-key', 'key-0123456789', { auth_config: { header_name: 'X-Shop-Key' } }],
] as const) {
  test(`the preview redacts the credential of ${auth_strategy}`, async () => {
    const tool = await makeTool(server, key, customer, { auth_strategy, encrypted_auth_secret: secret, ...fields });
    const shown = expectResponse(await preview(developer, tool, {}), 200);
    assert.equal(shown.headers[header], '[redacted]');
    assert.ok(!JSON.stringify(shown).includes(secret));
    assert.ok(!JSON.stringify(shown).includes(Buffer.from(secret).toString('base64')));
    assert.deepEqual([shown.canonical_string, shown.signature], [null, null]);
  });
}

test('the preview names everything that a call would be refused for', async () => {
  const input_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const tool = await makeTool(server, key, customer, { require_member: true, is_enabled: false, input_schema });
  const shown = expectResponse(await preview(developer, tool, { arguments: { n: 'one' } }), 200);
  assert.equal(shown.url, null);
  assert.deepEqual(
    shown.problems.map(({ code, field }: any) => [code, field]),
    [
      ['TOOL_NOT_ENABLED', ''],
      ['VALIDATION_ERROR', 'n'],
    ],
  );
  const reserved = expectResponse(await preview(developer, tool, { arguments: { n: 1, project_id: 'x' } }), 200);
  assert.deepEqual(reserved.problems.at(-1).code, 'RESERVED_VARIABLE');
});

test('keys with write and the root key see the request of a key', async () => {
  const tool = await makeTool(server, key, customer);
  for (const token of [key, ROOT_KEY]) {
    const shown = expectResponse(
      await api('POST', `/custom-tools/${tool.name}/preview`, { key: token, project, body: {} }),
      200,
    );
    assert.deepEqual(shown.problems, []);
    assert.equal(shown.headers['x-toolgate-test'], undefined);
  }
});

test('the trace of a refused test names the person', async () => {
  const tool = await makeTool(server, key, customer, { is_enabled: false });
  const refused = await run(developer, tool, {});
  expectResponse(refused, 403, 'Tool not enabled for this project');
  await app.batch_writer.flush();
  const request_id = refused.headers.get('x-request-id');
  const trace = expectResponse(await viewer.api('GET', `/projects/${project}/requests/${request_id}`), 200);
  assert.deepEqual([trace.caller.kind, trace.caller.account_id], ['account', developer.account.id]);
});

test('test calls use at most half of the hour of the plan, whoever makes them; keys still have all of it', async () => {
  const { id } = expectResponse(
    await owner.api('POST', '/projects', { body: { name: 'Tried', plan: 'enterprise', requests_per_hour: 6 } }),
    201,
  );
  const made = await makeKey(server, id);
  const tool = await makeTool(server, made.key, customer);
  const tryIt = (person: Person) => person.api('POST', `/custom-tools/${tool.id}/execute`, { project: id, body: {} });
  for (const person of [owner, developer, owner]) expectResponse(await tryIt(person), 200);
  const refused = await tryIt(developer);
  const { details } = expectResponse(refused, 429).error;
  assert.deepEqual([details.reason, details.limit], ['test_calls_per_hour', 3]);
  assert.equal(refused.headers.get('retry-after'), String(details.retry_after_seconds));
  expectResponse(await api('POST', `/custom-tools/${tool.id}/execute`, { key: made.key, body: {} }), 200);
});

test('a person who asks for a call that is not written yet leaves no refused request; an API key that does the same leaves one', async () => {
  const path = `/projects/${project}/tool-calls/call_0000000000000000000000`;
  expectResponse(await developer.api('GET', path), 404);
  expectResponse(await viewer.api('DELETE', `/custom-tools/tool_0000000000000000000000`, { project }), 403);
  expectResponse(await api('GET', path, { key }), 404);
  await app.batch_writer.flush();
  const { data } = expectResponse(await owner.api('GET', `/projects/${project}/requests`), 200);
  const seen = data.map(({ method, status, caller }: any) => `${method} ${status} ${caller.kind}`);
  assert.ok(seen.includes('GET 404 api_key') && seen.includes('DELETE 403 account'), `${seen}`);
  assert.ok(!seen.includes('GET 404 account'), `${seen}`);
});
