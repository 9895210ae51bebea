// Who answers the form of a confirmation: a member, with `confirm` and nothing else. A key and a machine have no user in front of them,
// so that an approver decides about their calls in every client.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canonicalHash } from '../../src/engines/json-text/canonical-json.ts';
import { sealState } from '../../src/features/tools/approvals/request-state.ts';
import { modern } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const caller = await makeKey(server, tenant.id, ['admin']);
const { session } = await makeMemberSessions(server, tenant.id);
const member = await session('member-1');

const FORM = { elicitation: { form: {} } };
const BOTH = { elicitation: { form: {}, url: {} } };
const YES = { action: 'accept', content: { confirm: true } };

type Call = { key: string; capabilities?: object; response?: object; state?: string };
async function call(called: MadeTool, { key, capabilities = FORM, response, state }: Call): Promise<any> {
  const params = {
    name: called.name,
    arguments: {},
    ...(response && { inputResponses: { confirm: response } }),
    ...(state && { requestState: state }),
    _meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities },
  };
  return expectResponse(await modern(server, key, 'tools/call', params), 200).result;
}
const codeOf = (result: any) => result._meta['toolgate/error']?.code;
const tool = (confirm: object | null) => makeTool(server, keys.write, customer, { confirm });
const requestsOf = ({ endpoint_path }: MadeTool) => customer.at(endpoint_path).length;
const approve = (id: string, key: string) => api('POST', `/projects/${tenant.id}/approvals/${id}/approve`, { key });

async function makeMachine(): Promise<string> {
  const body = { name: 'Machine', redirect_uris: [], grant_types: ['client_credentials'] };
  const path = `/projects/${tenant.id}/oauth-clients`;
  const { client_id, client_secret } = expectResponse(await api('POST', path, { key: keys.admin, body }), 201);
  const request = { grant_type: 'client_credentials', client_id, client_secret };
  return expectResponse(await api('POST', '/oauth/token', { body: request }), 200).access_token;
}

/** The call waits for an approver, whatever the client declares and answers; only their approval makes it, once. */
async function expectApprover(called: MadeTool, key: string): Promise<void> {
  assert.equal(codeOf(await call(called, { key })), 'CONFIRMATION_REQUIRED');
  assert.equal(codeOf(await call(called, { key, response: YES })), 'CONFIRMATION_REQUIRED');
  const { inputRequests, requestState } = await call(called, { key, capabilities: BOTH });
  const { mode, url } = inputRequests.confirm.params;
  assert.equal(mode, 'url');
  assert.equal(requestsOf(called), 0);
  const id = url.split('/').at(-1);
  expectResponse(await approve(id, key), 403);
  const held = call(called, { key, capabilities: BOTH, response: YES, state: requestState });
  const first = await Promise.race([held, approve(id, keys.admin)]);
  assert.equal(first.status, 200, 'the call did not wait for the approver');
  assert.equal((await held).resultType, 'complete');
  assert.equal(requestsOf(called), 1);
}

test('a key cannot approve its own call by a form: an approver decides', async () => {
  await expectApprover(await tool({ by: 'user' }), caller.key);
});

test('a machine cannot approve its own call by a form: an approver decides', async () => {
  await expectApprover(await tool({ by: 'user' }), await makeMachine());
});

test('a key cannot approve by a form what a hook wants to have confirmed; a member can', async () => {
  const called = await tool(null);
  const match = { tool_ids: [called.id] };
  await makeHook(server, customer, tenant.id, { match }, { body: { decision: 'confirm' } });
  await expectApprover(called, caller.key);
  const { inputRequests, requestState } = await call(called, { key: member });
  assert.equal(inputRequests.confirm.params.mode, 'form');
  assert.equal((await call(called, { key: member, response: YES, state: requestState })).resultType, 'complete');
});

test('the state of a form counts for nothing in the hands of a key', async () => {
  const called = await tool({ by: 'user' });
  const { id: tool_id, definition_hash } = called;
  const asked = { project_id: tenant.id, subject_id: caller.id, tool_id, definition_hash, mcp_server_version: null };
  const state = await sealState(
    server.app,
    { ...asked, arguments_hash: canonicalHash({}) },
    { mode: 'form', approval_id: 'apr_0000000000000000000001' },
  );
  assert.equal(codeOf(await call(called, { key: caller.key, response: YES, state })), 'CONFIRMATION_REQUIRED');
  assert.equal(requestsOf(called), 0);
});

test('a key whose client can only show forms is told that it needs a page, where a link is not allowed', async () => {
  const called = await tool({ by: 'user', fallback: 'refuse' });
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': FORM };
  const refused = await modern(server, caller.key, 'tools/call', { name: called.name, arguments: {}, _meta });
  const { data } = expectResponse(refused, 400).error;
  assert.deepEqual(data.requiredCapabilities, { elicitation: { url: {} } });
});

test('only confirm: true approves a call, and confirm: false declines it; anything else asks again', async () => {
  const called = await tool({ by: 'user' });
  const asked = async () => (await call(called, { key: member })).requestState as string;
  const state = await asked();
  for (const content of [
    { other: true },
    { confirmed: true, ok: true },
    { confirm: 'true', other: true },
    { confirm: 1 },
    { confirm: [true] },
    { confirm: null, yes: true },
    { CONFIRM: true },
    {},
    true,
    [true],
  ]) {
    const result = await call(called, { key: member, response: { action: 'accept', content }, state });
    assert.equal(result.resultType, 'input_required', JSON.stringify(content));
    assert.equal(requestsOf(called), 0, JSON.stringify(content));
  }
  const no = { action: 'accept', content: { confirm: false, other: true } };
  assert.equal(codeOf(await call(called, { key: member, response: no, state: await asked() })), 'CALL_DECLINED');
  assert.equal(requestsOf(called), 0);
  // What was no answer has not used up the question.
  const yes = { action: 'accept', content: { confirm: true, other: false } };
  assert.equal((await call(called, { key: member, response: yes, state })).resultType, 'complete');
  assert.equal(requestsOf(called), 1);
});
