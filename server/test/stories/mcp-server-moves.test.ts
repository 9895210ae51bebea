// An MCP server whose URL changes is another server: what a person approved for the old one, and what was asked there, does not count.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { modern } from '../mcp/rpc.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { execute } from '../support/make/make-tools.ts';
import { echoTool, startMcpUpstream, type UpstreamTool } from '../support/peers/mcp-upstream.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const STATE = 'state-of-the-server';
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which city?', requestedSchema: { type: 'object', properties: {} } },
};
const asking: UpstreamTool = {
  ...echoTool('asks'),
  run: ({ params }) =>
    params.requestState === STATE
      ? { content: [{ type: 'text', text: 'answered' }] }
      : { resultType: 'input_required', inputRequests: { place: question }, requestState: STATE },
};
const tools = [echoTool('pay'), asking];
const [first, second] = [await startMcpUpstream('modern', tools), await startMcpUpstream('modern', tools)];
after(() => Promise.all([first.close(), second.close()]));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${first.address},${second.address}` });
const { api, app } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const servers = mcpServersOf(server, tenant);
const { session } = await makeMemberSessions(server, tenant.id);
const member = await session('member-1');

/** A server at the first URL, with a tool that is confirmed as `confirm` says. */
async function makeServer(confirm: object | null) {
  const made = await servers.ready(first, { slug: unique('up') });
  const [pay, asks] = [`${made.slug}_pay`, `${made.slug}_asks`];
  if (confirm) expectResponse(await api('PATCH', `/custom-tools/${pay}`, { key: keys.write, body: { confirm } }), 200);
  const move = ({ url }: { url: string }) =>
    api('PATCH', `${servers.path}/${made.id}`, { key: keys.write, body: { url } });
  return { pay, asks, move };
}

const callsOf = (name: string) =>
  [first, second].map((each) => each.calls().filter(({ message }) => message.params.arguments.text === name).length);
const storedStatus = async (id: string) =>
  (await app.pool.query('select status from approvals where id = $1', [id])).rows[0].status;
const approve = async (id: string) =>
  expectResponse(await api('POST', `/projects/${tenant.id}/approvals/${id}/approve`, { key: keys.admin }), 200);
const call = (tool: string, text: string, approval_id?: string) =>
  execute(server, keys.read, tool, { text }, approval_id ? { 'x-toolgate-approval': approval_id } : {});
const ask = async (tool: string, text: string): Promise<string> =>
  expectResponse(await call(tool, text), 409).error.details.approval.id;

async function callOverMcp(name: string, text: string, more: object = {}, elicitation: object = { form: {} }) {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation } };
  const params = { name, arguments: { text }, ...more, _meta };
  return expectResponse(await modern(server, member, 'tools/call', params), 200).result;
}

test('approvals are cancelled before the response to who changes the URL, and stay so when it is changed back', async () => {
  const { pay, move } = await makeServer({ by: 'approver' });
  const [pending, approved] = [await ask(pay, 'pending'), await ask(pay, 'approved')];
  await approve(approved);
  expectResponse(await move(second), 200);
  for (const id of [pending, approved]) assert.equal(await storedStatus(id), 'cancelled');
  assert.notEqual(expectResponse(await call(pay, 'approved', approved), 409).error.details.approval.id, approved);
  expectResponse(await move(first), 200);
  assert.notEqual(expectResponse(await call(pay, 'approved', approved), 409).error.details.approval.id, approved);
  assert.deepEqual(callsOf('approved'), [0, 0]);
  const again = await ask(pay, 'approved');
  await approve(again);
  expectResponse(await call(pay, 'approved', again), 200);
  assert.deepEqual(callsOf('approved'), [1, 0]);
});

test('what an approval is remembered for ends with the URL', async () => {
  const { pay, move } = await makeServer({ by: 'user', remember_seconds: 3600 });
  const id = await ask(pay, 'remembered');
  await approve(id);
  expectResponse(await call(pay, 'remembered', id), 200);
  expectResponse(await call(pay, 'remembered'), 200);
  expectResponse(await move(second), 200);
  expectResponse(await call(pay, 'remembered'), 409);
  expectResponse(await move(first), 200);
  expectResponse(await call(pay, 'remembered'), 409);
  assert.deepEqual(callsOf('remembered'), [2, 0]);
});

test('a form that was asked for the old URL is asked again, and so is a page', async () => {
  const { pay, move } = await makeServer({ by: 'user' });
  const form = await callOverMcp(pay, 'form');
  assert.equal(form.inputRequests.confirm.params.mode, 'form');
  const page = await callOverMcp(pay, 'page', {}, { url: {} });
  expectResponse(await move(second), 200);
  const response = { action: 'accept', content: { confirm: true } };
  const inputResponses = { confirm: response };
  const again = await callOverMcp(pay, 'form', { inputResponses, requestState: form.requestState });
  assert.equal(again.resultType, 'input_required');
  const next = await callOverMcp(pay, 'page', { inputResponses, requestState: page.requestState }, { url: {} });
  assert.notEqual(next.inputRequests.confirm.params.url, page.inputRequests.confirm.params.url);
  assert.deepEqual([...callsOf('form'), ...callsOf('page')], [0, 0, 0, 0]);
  const done = await callOverMcp(pay, 'form', { inputResponses, requestState: again.requestState });
  assert.equal(done.resultType, 'complete');
  assert.deepEqual(callsOf('form'), [0, 1]);
});

test('the state and the answers of a question that the old URL asked are not sent to the new one', async () => {
  const { asks, move } = await makeServer(null);
  const { requestState } = await callOverMcp(asks, 'relayed');
  expectResponse(await move(second), 200);
  const inputResponses = { place: { action: 'accept', content: {} } };
  const again = await callOverMcp(asks, 'relayed', { inputResponses, requestState });
  const message = `Upstream (${new URL(second.url).host}) asks: ${question.params.message}`;
  assert.deepEqual(again.inputRequests, { place: { ...question, params: { ...question.params, message } } });
  const { requestState: state, inputResponses: responses } = second.calls().at(-1)?.message.params ?? {};
  assert.deepEqual([second.calls().length > 0, state, responses], [true, undefined, undefined]);
  const done = await callOverMcp(asks, 'relayed', { inputResponses, requestState: again.requestState });
  assert.equal(done.content[0].text, 'answered');
});

test('a call that takes its approval at the moment of the change is sent to neither URL', async () => {
  const { pay, move } = await makeServer({ by: 'approver' });
  const id = await ask(pay, 'moment');
  await approve(id);
  const lock = await app.pool.connect();
  let called: Promise<ApiResponse>;
  let moved: Promise<ApiResponse>;
  try {
    await lock.query('begin');
    await lock.query('select from approvals where id = $1 for update', [id]);
    called = call(pay, 'moment', id);
    await untilLockWait(app);
    moved = move(second);
    assert.equal(await Promise.race([untilLockWait(app, 2), moved]), undefined, 'the response did not wait');
    await lock.query('commit');
  } finally {
    lock.release();
  }
  expectResponse(await moved, 200);
  const { approval } = expectResponse(await called, 409).error.details;
  assert.notEqual(approval.id, id);
  assert.equal(await storedStatus(id), 'cancelled');
  assert.deepEqual(callsOf('moment'), [0, 0]);
  // It is asked for the new URL.
  await approve(approval.id);
  expectResponse(await call(pay, 'moment', approval.id), 200);
  assert.deepEqual(callsOf('moment'), [0, 1]);
});
