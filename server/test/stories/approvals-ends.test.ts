// When approvals end: one yes is used by one call, and what was cancelled, taken back or decided does not count again.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MAX_PENDING } from '@toolgate/contract/approvals/rules.ts';
import { modern } from '../mcp/rpc.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const approvals = `/projects/${tenant.id}/approvals`;

const tool = () => makeTool(server, keys.write, customer, { confirm: { by: 'approver' } });
const statusOf = async (id: string) =>
  expectResponse(await api('GET', `${approvals}/${id}`, { key: keys.admin }), 200).status;
const approve = async (id: string) =>
  expectResponse(await api('POST', `${approvals}/${id}/approve`, { key: keys.admin }), 200);
const requestsOf = ({ endpoint_path }: MadeTool) =>
  customer.requests.filter(({ path }) => path.startsWith(endpoint_path)).length;

async function ask(called: MadeTool, given: object = {}, key = keys.read): Promise<string> {
  return expectResponse(await execute(server, key, called.id, given), 409).error.details.approval.id;
}

test('of calls that use one yes at the same moment one passes, and the others ask again', async () => {
  const called = await tool();
  const id = await ask(called);
  await approve(id);
  const calls = 3;
  const lock = await app.pool.connect();
  try {
    await lock.query('begin');
    await lock.query('select from approvals where id = $1 for update', [id]);
    // All of them have read the yes when they wait here.
    const responses = Array.from({ length: calls }, () =>
      execute(server, keys.read, called.id, {}, { 'x-toolgate-approval': id }),
    );
    await untilLockWait(app, calls);
    await lock.query('commit');
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 409, 409]);
  } finally {
    lock.release();
  }
  assert.equal(requestsOf(called), 1);
});

test('a yes that was cancelled stays cancelled when the tool is changed back', async () => {
  const called = await tool();
  const [pending, approved] = [await ask(called, { n: 1 }), await ask(called, { n: 2 })];
  await approve(approved);
  const rename = async (title: string | null) =>
    expectResponse(await api('PATCH', `/custom-tools/${called.id}`, { key: keys.write, body: { title } }), 200);
  await rename('Other');
  const back = await rename(called.title);
  assert.equal(back.definition_hash, called.definition_hash);
  for (const id of [pending, approved]) assert.equal(await statusOf(id), 'cancelled');
  const again = { 'x-toolgate-approval': approved };
  expectResponse(await execute(server, keys.read, called.id, { n: 2 }, again), 409);
  assert.equal(requestsOf(called), 0);
});

test('who declines or dismisses the question in the client takes back a yes that was given meanwhile', async () => {
  const called = await tool();
  const call = async (more: object = {}) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
    const params = { name: called.name, arguments: {}, ...more, _meta };
    return expectResponse(await modern(server, keys.read, 'tools/call', params), 200).result;
  };
  for (const [action, code] of [
    ['decline', 'CALL_DECLINED'],
    ['cancel', 'CALL_CANCELLED'],
  ] as const) {
    const { requestState, inputRequests } = await call();
    const id = inputRequests.confirm.params.url.split('/').at(-1);
    await approve(id);
    const result = await call({ requestState, inputResponses: { confirm: { action } } });
    assert.equal(result._meta['toolgate/error'].code, code);
    assert.equal(await statusOf(id), 'cancelled');
    assert.equal((await call()).resultType, 'input_required');
  }
  assert.equal(requestsOf(called), 0);
});

test('a machine that waits for an approver ends with its client', async () => {
  const { id: project_id, keys } = await makeTenant(server, { plan: 'enterprise' });
  const path = `/projects/${project_id}/oauth-clients`;
  const body = { name: 'Machine', redirect_uris: [], grant_types: ['client_credentials'] };
  const client = expectResponse(await api('POST', path, { key: keys.admin, body }), 201);
  const { client_id, client_secret } = client;
  const request = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = expectResponse(await api('POST', '/oauth/token', { body: request }), 200);
  const called = await makeTool(server, keys.write, customer, { confirm: { by: 'approver' } });
  const id = await ask(called, {}, access_token);
  const read = () => api('GET', `/projects/${project_id}/approvals/${id}`, { key: keys.admin });
  assert.equal(expectResponse(await read(), 200).status, 'pending');
  // A machine approves nothing.
  const other = await ask(called, {}, keys.read);
  expectResponse(await api('POST', `/projects/${project_id}/approvals/${other}/approve`, { key: access_token }), 403);
  expectResponse(await api('DELETE', `${path}/${client.id}`, { key: keys.admin }), 204);
  assert.equal(expectResponse(await read(), 200).status, 'cancelled');
});

test('1,000 calls of a project wait at most; those that have expired take no place', async () => {
  const project = await makeTenant(server, { plan: 'enterprise' });
  const called = await makeTool(server, project.keys.write, customer, { confirm: { by: 'approver' } });
  const caller = await makeKey(server, project.id, ['read']);
  const first = await ask(called, { n: 0 }, caller.key);
  // The others differ in who asked.
  await app.pool.query(
    `insert into approvals (id, project_id, subject_id, tool_id, tool_name, tool_version, definition_hash, by, arguments,
       arguments_hash, api_key_id, status, remember_seconds, created_at, expires_at, is_told)
     select 'apr_' || lpad(n::text, 22, '0'), project_id, 'key_' || n, tool_id, tool_name, tool_version, definition_hash, by,
       arguments, arguments_hash, api_key_id, status, remember_seconds, created_at, expires_at, is_told
     from approvals, generate_series(2, $2::integer) n where id = $1`,
    [first, MAX_PENDING],
  );
  const refused = expectResponse(await execute(server, caller.key, called.id, { n: 1 }), 429).error;
  assert.deepEqual([refused.code, refused.details.limit], ['TOO_MANY_PENDING', MAX_PENDING]);
  await app.pool.query(`update approvals set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
    first,
  ]);
  await ask(called, { n: 1 }, caller.key);
});

test('what a yes is remembered for ends with the session that got it', async () => {
  const { id: integration_id } = await makeIntegration(server, tenant.id);
  const backend = await makeIntegrationKey(server, tenant.id, integration_id);
  const body = { member_external_id: 'member-remembered' };
  const session = async () => expectResponse(await exchange(server, backend.key, body), 200);
  const called = await makeTool(server, keys.write, customer, { confirm: { by: 'user', remember_seconds: 600 } });
  const { session_token, member } = await session();
  const id = await ask(called, { n: 1 }, session_token);
  expectResponse(await api('POST', `${approvals}/${id}/approve`, { key: backend.key }), 200);
  expectResponse(await execute(server, (await session()).session_token, called.id, { n: 2 }), 200);
  expectResponse(await api('POST', `/members/${member.id}/revoke-sessions`, { key: keys.admin }), 200);
  await ask(called, { n: 3 }, (await session()).session_token);
});
