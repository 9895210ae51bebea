// Calls that wait for a person, over REST and as a result for a model: who decides, what a yes counts for, and when it ends.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canonicalHash } from '../../src/engines/json-text/canonical-json.ts';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { makeOwner, makePerson } from '../support/make/make-accounts.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const two = await startServer({
  TOOLGATE_EGRESS_ALLOW: customer.address,
  DATABASE_URL: server.app.config.database_url ?? '',
});
const { api } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const approvals = `/projects/${tenant.id}/approvals`;

const BY_USER = { by: 'user', remember_seconds: 0, fallback: 'link' };
const BY_APPROVER = { by: 'approver', remember_seconds: 0, fallback: 'link' };
const tool = (confirm: object | null, fields: object = {}) =>
  makeTool(server, keys.write, customer, { confirm, ...fields });
const read = async (id: string, key = keys.admin) =>
  expectResponse(await api('GET', `${approvals}/${id}`, { key }), 200);
const decide = (response: 'approve' | 'decline', id: string, key: string, body?: object, on = server) =>
  on.api('POST', `${approvals}/${id}/${response}`, { key, ...(body && { body }) });
const call = (called: MadeTool, key: string, given: unknown = {}, headers: Record<string, string> = {}, on = server) =>
  execute(on, key, called.id, given, headers);
const withApproval = (id: string) => ({ 'x-toolgate-approval': id });

async function ask(called: MadeTool, key: string, given: unknown = {}): Promise<any> {
  const { error } = expectResponse(await call(called, key, given), 409);
  assert.equal(error.code, 'CONFIRMATION_REQUIRED');
  return error.details.approval;
}

async function callOverMcp(key: string, name: string, given: object = {}): Promise<any> {
  const response = await api('POST', '/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
  return expectResponse(response, 200).result;
}
const errorOf = (result: any) => result._meta['toolgate/error'];

/** A member of a new integration, with the keys of that integration. */
async function makeMember() {
  const integration = await makeIntegration(server, tenant.id);
  const key = await makeIntegrationKey(server, tenant.id, integration.id);
  const other = await makeIntegrationKey(server, tenant.id, integration.id, ['read', 'webhook']);
  const external_id = unique('member');
  const session = async (made_with = key.key) =>
    expectResponse(await exchange(server, made_with, { member_external_id: external_id }), 200);
  const { session_token, member } = await session();
  return { integration, key, other, member, token: session_token as string, session };
}

const requestsOf = ({ endpoint_path }: MadeTool) =>
  customer.requests.filter(({ path }) => path.startsWith(endpoint_path)).length;

async function eventsOf(id: string): Promise<string[]> {
  const { data } = expectResponse(
    await api('GET', `/projects/${tenant.id}/events?limit=100`, { key: keys.admin }),
    200,
  );
  return data
    .filter((event: any) => event.data?.id === id)
    .map((event: any) => event.type)
    .sort();
}

test('a call asks first: the answer has the approval, nothing is sent, and a yes lets the same call pass once', async () => {
  const asked = await tool(BY_APPROVER);
  const given = { b: 1, a: ['x', { d: null, c: 1.5 }] };
  const approval = await ask(asked, keys.read, given);
  assert.match(approval.id, /^apr_[0-9A-Za-z]{22}$/);
  assert.deepEqual(await read(approval.id), approval);
  const { requested_at, expires_at, api_key_id, ...rest } = approval;
  assert.deepEqual(rest, {
    id: approval.id,
    object: 'approval',
    project_id: tenant.id,
    tool_id: asked.id,
    tool_name: asked.name,
    tool_version: 1,
    definition_hash: asked.definition_hash,
    by: 'approver',
    arguments: given,
    arguments_hash: canonicalHash({ a: ['x', { c: 1.5, d: null }], b: 1 }),
    session_id: null,
    member_id: null,
    integration_id: null,
    account_id: null,
    client_name: null,
    status: 'pending',
    decided_at: null,
    decided_by: null,
    decided_via: null,
    reason: null,
    url: `${server.app.config.public_url}/approve/${approval.id}`,
  });
  assert.match(api_key_id, /^key_/);
  assert.equal(Date.parse(expires_at) - Date.parse(requested_at), 24 * 3_600_000);
  // The same call gets the same approval, without a second event; others get their own.
  assert.equal((await ask(asked, keys.read, given)).id, approval.id);
  assert.notEqual((await ask(asked, keys.read, { ...given, b: 2 })).id, approval.id);
  assert.equal(requestsOf(asked), 0);

  const decided = expectResponse(await decide('approve', approval.id, keys.admin, { reason: 'agreed' }), 200);
  assert.equal(decided.status, 'approved');
  assert.equal(decided.reason, 'agreed');
  assert.equal(decided.decided_via, 'api');
  // Without the header the caller is told which approval it has.
  assert.equal((await ask(asked, keys.read, given)).id, approval.id);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      call(asked, keys.read, given, withApproval(approval.id), i % 2 === 0 ? server : two),
    ),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of responses) assert.ok(status === 200 || body.error.code === 'CONFIRMATION_REQUIRED');
  assert.equal(requestsOf(asked), 1);
  assert.equal((await read(approval.id)).status, 'used');
  assert.deepEqual(await eventsOf(approval.id), ['approval.approved', 'approval.requested']);
  const log = expectResponse(await api('GET', `/projects/${tenant.id}/audit-log`, { key: keys.admin }), 200).data;
  assert.ok(log.some((entry: any) => entry.target_id === approval.id && entry.action === 'approval.approved'));
});

test('a yes counts for this caller, tool, definition and these arguments only', async () => {
  const [asked, other] = [await tool(BY_APPROVER), await tool(BY_APPROVER)];
  const caller = await makeKey(server, tenant.id, ['read']);
  const { id } = await ask(asked, caller.key, { n: 1 });
  expectResponse(await decide('approve', id, keys.admin), 200);
  expectResponse(await call(asked, keys.read, { n: 1 }, withApproval(id)), 409);
  expectResponse(await call(asked, caller.key, { n: 2 }, withApproval(id)), 409);
  expectResponse(await call(other, caller.key, { n: 1 }, withApproval(id)), 409);
  const stranger = await makeTenant(server);
  expectResponse(await api('GET', `/projects/${stranger.id}/approvals/${id}`, { key: stranger.keys.admin }), 404);
  expectResponse(
    await api('POST', `/projects/${stranger.id}/approvals/${id}/decline`, { key: stranger.keys.admin }),
    404,
  );
  assert.equal((await read(id)).status, 'approved');
  // Another definition: the old yes is cancelled, and the call asks again.
  expectResponse(await api('PATCH', `/custom-tools/${asked.id}`, { key: keys.write, body: { title: 'Other' } }), 200);
  assert.equal((await read(id)).status, 'cancelled');
  const again = expectResponse(await call(asked, caller.key, { n: 1 }, withApproval(id)), 409).error.details.approval;
  assert.notEqual(again.id, id);
  assert.equal(requestsOf(asked) + requestsOf(other), 0);
  expectResponse(await decide('approve', id, keys.admin), 409);
});

test('approve and decline at the same time: one of them counts, and the other is 409', async () => {
  const asked = await tool(BY_APPROVER);
  for (let n = 0; n < 5; n += 1) {
    const { id } = await ask(asked, keys.read, { n });
    const responses = await Promise.all([
      decide('approve', id, keys.admin),
      decide('decline', id, keys.admin, { reason: 'no' }, two),
    ]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409]);
    const won = responses[0]?.status === 200 ? 'approve' : 'decline';
    assert.equal((await read(id)).status, won === 'approve' ? 'approved' : 'declined');
    // The same decision again changes nothing.
    expectResponse(await decide(won, id, keys.admin, { reason: 'again' }), 200);
    assert.notEqual((await read(id)).reason, 'again');
    assert.equal((await eventsOf(id)).length, 2);
  }
});

test('a declined call is refused with the reason, and asks again when it is repeated', async () => {
  const asked = await tool(BY_APPROVER);
  const { id } = await ask(asked, keys.read);
  expectResponse(await decide('decline', id, keys.admin, { reason: 'too much' }), 200);
  const { error } = expectResponse(await call(asked, keys.read, {}, withApproval(id)), 403);
  assert.equal(error.code, 'CALL_DECLINED');
  assert.equal(error.details.decision_reason, 'too much');
  assert.notEqual((await ask(asked, keys.read)).id, id);
  assert.equal(requestsOf(asked), 0);
});

test('approvers are admins and keys with can_approve, never who asked, and only admins say who they are', async () => {
  const asked = await tool(BY_APPROVER);
  const approver = await makeKey(server, tenant.id, ['read'], { can_approve: true });
  assert.equal(approver.can_approve, true);
  const caller = await makeKey(server, tenant.id, ['admin']);
  const { id } = await ask(asked, caller.key, { secret: 'x' });
  for (const key of [keys.read, keys.write, keys.webhook]) expectResponse(await decide('approve', id, key), 403);
  assert.equal(expectResponse(await decide('approve', id, caller.key), 403).error.details.reason, 'asked_itself');
  const member = await makeMember();
  expectResponse(await decide('approve', id, member.token), 403);
  // Arguments are for admins and who decides.
  assert.equal((await read(id, keys.read)).arguments, null);
  assert.deepEqual((await read(id, approver.key)).arguments, { secret: 'x' });
  expectResponse(await api('GET', `${approvals}/${id}`, { key: keys.write }), 403);
  expectResponse(await api('GET', approvals, { key: keys.write }), 403);
  expectResponse(await decide('approve', id, approver.key), 200);
  expectResponse(await call(asked, caller.key, { secret: 'x' }, withApproval(id)), 200);

  const path = `/projects/${tenant.id}/api-keys/${approver.id}`;
  expectResponse(await api('PATCH', path, { key: keys.admin, body: { can_approve: false } }), 200);
  const next = await ask(asked, caller.key, { n: 2 });
  expectResponse(await decide('approve', next.id, approver.key), 403);
});

test('people decide by their role or can_approve; who tries a tool does not approve their own call', async () => {
  const owner = await makeOwner(server);
  const { id: project_id } = owner.project;
  const { key } = await makeKey(server, project_id, ['admin']);
  const developer = await makePerson(server, owner, 'developer');
  const fields = { confirm: BY_APPROVER };
  const asked = await makeTool(server, key, customer, fields);
  const path = (id: string, response: string) => `/projects/${project_id}/approvals/${id}/${response}`;
  const { approval } = expectResponse(await execute(server, key, asked.id), 409).error.details;
  expectResponse(await developer.api('POST', path(approval.id, 'approve')), 403);
  const account = `/organization/accounts/${developer.account.id}`;
  const changed = expectResponse(await owner.api('PATCH', account, { body: { can_approve: true } }), 200);
  assert.equal(changed.can_approve, true);
  assert.equal(changed.role, 'developer');
  const decided = expectResponse(await developer.api('POST', path(approval.id, 'approve')), 200);
  assert.equal(decided.decided_by, developer.account.id);
  assert.equal(decided.decided_via, 'dashboard');

  const tried = { project: project_id, body: { arguments: { n: 1 } } };
  const question = expectResponse(await owner.api('POST', `/custom-tools/${asked.id}/execute`, tried), 409).error
    .details;
  assert.equal(question.approval.account_id, owner.account.id);
  expectResponse(await owner.api('POST', path(question.approval.id, 'approve')), 403);
  expectResponse(await developer.api('POST', path(question.approval.id, 'approve')), 200);
  const again = { ...tried, headers: withApproval(question.approval.id) };
  expectResponse(await owner.api('POST', `/custom-tools/${asked.id}/execute`, again), 200);
  // The user who would be asked is the one who tries it.
  const own = await makeTool(server, key, customer, { confirm: BY_USER });
  expectResponse(await owner.api('POST', `/custom-tools/${own.id}/execute`, tried), 200);
});

test("a member's call is decided by a key of the integration of the session, and by no other", async () => {
  const asked = await tool(BY_USER, { require_member: true });
  const [member, other] = [await makeMember(), await makeMember()];
  const approval = await ask(asked, member.token, { n: 1 });
  assert.equal(approval.member_id, member.member.id);
  assert.equal(approval.api_key_id, member.key.id);
  assert.equal(Date.parse(approval.expires_at) - Date.parse(approval.requested_at), 15 * 60_000);
  for (const key of [keys.admin, other.key.key, other.token, member.token])
    expectResponse(await decide('approve', approval.id, key), 403);
  assert.deepEqual((await read(approval.id, member.other.key)).arguments, { n: 1 });
  expectResponse(await decide('approve', approval.id, member.other.key), 200);
  // By the member, in any session of theirs.
  expectResponse(await call(asked, other.token, { n: 1 }, withApproval(approval.id)), 409);
  const { session_token } = await member.session();
  expectResponse(await call(asked, session_token, { n: 1 }, withApproval(approval.id)), 200);
  const next = await ask(asked, member.token, { n: 2 });
  expectResponse(await decide('approve', next.id, member.key.key), 200);
});

test('a call of a plain key with by user is decided like by an approver', async () => {
  const asked = await tool(BY_USER);
  const { key } = await makeKey(server, tenant.id, ['admin']);
  const { id } = await ask(asked, key);
  expectResponse(await decide('approve', id, key), 403);
  expectResponse(await decide('approve', id, keys.write), 403);
  expectResponse(await decide('approve', id, keys.admin), 200);
});

test('what has ended is cancelled: the key of the caller, its sessions, or the tool', async () => {
  const asked = await tool(BY_USER);
  const revoked = await makeKey(server, tenant.id, ['read']);
  const byKey = await ask(asked, revoked.key);
  expectResponse(await decide('approve', byKey.id, keys.admin), 200);
  const path = `/projects/${tenant.id}/api-keys/${revoked.id}`;
  expectResponse(await api('POST', `${path}/revoke`, { key: keys.admin }), 200);
  assert.equal((await read(byKey.id)).status, 'cancelled');

  const member = await makeMember();
  const bySession = await ask(asked, member.token);
  expectResponse(await api('POST', `/members/${member.member.id}/revoke-sessions`, { key: keys.admin }), 200);
  assert.equal((await read(bySession.id)).status, 'cancelled');
  expectResponse(await decide('approve', bySession.id, member.key.key), 409);

  const deleted = await tool(BY_APPROVER);
  const byTool = await ask(deleted, keys.read);
  expectResponse(await api('DELETE', `/custom-tools/${deleted.id}`, { key: keys.admin }), 204);
  assert.equal((await read(byTool.id)).status, 'cancelled');
  const listed = expectResponse(
    await api('GET', `${approvals}?status=cancelled&limit=3`, { key: keys.read }),
    200,
  ).data;
  assert.deepEqual(listed.map((each: any) => each.id).sort(), [byKey.id, bySession.id, byTool.id].sort());
});

test('nobody decides in time: it has expired, an event says so once, and the call asks again', async () => {
  const asked = await tool(BY_APPROVER);
  const [pending, approved] = [await ask(asked, keys.read, { n: 1 }), await ask(asked, keys.read, { n: 2 })];
  expectResponse(await decide('approve', approved.id, keys.admin), 200);
  await server.app.pool.query(
    `update approvals set expires_at = clock_timestamp() - interval '1 second' where id = any($1)`,
    [[pending.id, approved.id]],
  );
  assert.equal((await read(pending.id)).status, 'expired');
  expectResponse(await decide('approve', pending.id, keys.admin), 409);
  const again = expectResponse(await call(asked, keys.read, { n: 2 }, withApproval(approved.id)), 409).error.details;
  assert.notEqual(again.approval.id, approved.id);
  await server.runJobs();
  await two.runJobs();
  assert.deepEqual(await eventsOf(pending.id), ['approval.expired', 'approval.requested']);
  assert.equal(requestsOf(asked), 0);
});

test('20 calls of a caller wait at most; the next one is told when a place is free', async () => {
  const asked = await tool(BY_APPROVER);
  const { key } = await makeKey(server, tenant.id, ['read']);
  const responses = await Promise.all(
    Array.from({ length: 25 }, (_, n) => call(asked, key, { n }, {}, n % 2 === 0 ? server : two)),
  );
  assert.equal(responses.filter(({ status }) => status === 409).length, 20);
  const refused = responses.filter(({ status }) => status === 429);
  assert.equal(refused.length, 5);
  assert.equal(refused[0]?.body.error.code, 'TOO_MANY_PENDING');
  assert.ok(Number(refused[0]?.headers.get('retry-after')) > 86_000);
  assert.equal(errorOf(await callOverMcp(key, asked.name, { n: 99 })).code, 'TOO_MANY_PENDING');
  const first = responses.find(({ status }) => status === 409)?.body.error.details.approval;
  expectResponse(await decide('decline', first.id, keys.admin), 200);
  expectResponse(await call(asked, key, { n: 99 }), 409);
});

test('with remember_seconds a yes counts for further calls of the same caller, with any arguments', async () => {
  const asked = await tool({ by: 'user', remember_seconds: 600 });
  assert.deepEqual(asked.confirm, { by: 'user', remember_seconds: 600, fallback: 'link' });
  const { key } = await makeKey(server, tenant.id, ['read']);
  const { id } = await ask(asked, key, { n: 1 });
  expectResponse(await decide('approve', id, keys.admin), 200);
  expectResponse(await call(asked, key, { n: 1 }, withApproval(id)), 200);
  expectResponse(await call(asked, key, { n: 2 }), 200);
  expectResponse(await call(asked, keys.read, { n: 2 }), 409);
  await server.app.pool.query(`update approvals set decided_at = decided_at - interval '601 seconds' where id = $1`, [
    id,
  ]);
  expectResponse(await call(asked, key, { n: 3 }), 409);
  const approver = await tool({ by: 'approver', remember_seconds: 600 });
  const other = await ask(approver, key, { n: 1 });
  expectResponse(await decide('approve', other.id, keys.admin), 200);
  expectResponse(await call(approver, key, { n: 1 }, withApproval(other.id)), 200);
  expectResponse(await call(approver, key, { n: 2 }), 409);
});

test('confirm_destructive asks for every destructive tool that has no confirm of its own', async () => {
  const other = await makeTenant(server, { plan: 'enterprise' });
  const settings = `/projects/${other.id}/settings`;
  const made = (fields: object) => makeTool(server, other.keys.write, customer, fields);
  const [post, get] = [await made({}), await made({ method: 'GET' })];
  expectResponse(await execute(server, other.keys.read, post.id), 200);
  const body = { confirm_destructive: true };
  const changed = expectResponse(await api('PATCH', settings, { key: other.keys.write, body }), 200);
  assert.equal(changed.confirm_destructive, true);
  const { approval } = expectResponse(await execute(server, other.keys.read, post.id), 409).error.details;
  assert.equal(approval.by, 'user');
  expectResponse(await execute(server, other.keys.read, get.id), 200);
  for (const bad of ['http://example.com/{id}', 'https://example.com/', 'javascript:{id}', 'https://a@b.de/{id}'])
    expectResponse(await api('PATCH', settings, { key: other.keys.write, body: { approval_url: bad } }), 422);
});

test('invalid arguments are refused first, and a refused question is not kept for its Idempotency-Key', async () => {
  const input_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const asked = await tool(BY_APPROVER, { input_schema });
  expectResponse(await call(asked, keys.read, { n: 'x' }), 422);
  const idempotent = { 'idempotency-key': unique('key') };
  const { approval } = expectResponse(await call(asked, keys.read, { n: 1 }, idempotent), 409).error.details;
  expectResponse(await decide('approve', approval.id, keys.admin), 200);
  const repeated = { ...idempotent, ...withApproval(approval.id) };
  const first = expectResponse(await call(asked, keys.read, { n: 1 }, repeated), 200);
  assert.deepEqual(expectResponse(await call(asked, keys.read, { n: 1 }, repeated), 200), first);
  assert.equal(requestsOf(asked), 1);
});

test('a model that can ask nobody gets a link, and calls again once it is approved; a no is told once', async () => {
  const asked = await tool(BY_APPROVER);
  const result = await callOverMcp(keys.read, asked.name, { n: 1 });
  assert.equal(result.isError, true);
  const { code, approval_id, approval_url } = errorOf(result);
  assert.equal(code, 'CONFIRMATION_REQUIRED');
  const [{ text }] = result.content;
  assert.ok(text.includes(approval_id) && text.includes(approval_url), text);
  assert.match(text, /call again with the same arguments after it is approved/);
  assert.equal(errorOf(await callOverMcp(keys.read, asked.name, { n: 1 })).approval_id, approval_id);
  expectResponse(await decide('approve', approval_id, keys.admin), 200);
  assert.equal((await callOverMcp(keys.read, asked.name, { n: 1 })).isError, undefined);
  const next = errorOf(await callOverMcp(keys.read, asked.name, { n: 1 }));
  assert.notEqual(next.approval_id, approval_id);
  expectResponse(await decide('decline', next.approval_id, keys.admin), 200);
  assert.equal(errorOf(await callOverMcp(keys.read, asked.name, { n: 1 })).code, 'CALL_DECLINED');
  assert.equal(errorOf(await callOverMcp(keys.read, asked.name, { n: 1 })).code, 'CONFIRMATION_REQUIRED');
  assert.equal(requestsOf(asked), 1);
});

test('the confirm of a tool is a part of its version, and is validated', async () => {
  const plain = await tool(null);
  const path = `/custom-tools/${plain.id}`;
  const patch = (body: object) => api('PATCH', path, { key: keys.write, body });
  for (const confirm of [{}, { by: 'model' }, { by: 'user', remember_seconds: 3601 }, { by: 'user', ask: true }, true])
    expectResponse(await patch({ confirm }), 422);
  const changed = expectResponse(await patch({ confirm: { by: 'approver' } }), 200);
  assert.deepEqual(changed.confirm, BY_APPROVER);
  assert.equal(changed.version, 2);
  assert.notEqual(changed.definition_hash, plain.definition_hash);
  const back = expectResponse(await patch({ confirm: null }), 200);
  assert.equal(back.definition_hash, plain.definition_hash);
});
