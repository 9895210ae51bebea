// The policies that customers copy, asked by a real server over HTTPS: a plain one, OPA and OpenFGA behind adapters, and Cedar in the process.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectResponse, unique } from '../server/test/support/make/make.ts';
import { assertionFor, exchange, makeMemberTenant } from '../server/test/support/make/make-members.ts';
import { execute, makeTool } from '../server/test/support/make/make-tools.ts';
import { startCustomer, testAuthority } from '../server/test/support/peers/fake-customer.ts';
import { freePort, listenOnFreePort } from '../server/test/support/servers/free-port.ts';
import { startServer } from '../server/test/support/servers/start-server.ts';
import { waitUntil } from '../server/test/support/wait-until.ts';
import { askCedar } from './policies/cedar.ts';
import { askOpa } from './policies/opa.ts';
import { askOpenFga } from './policies/openfga.ts';
import { decide as decidePlainly } from './policies/plain.ts';
import { createPolicy, type Decide } from './policies/serve.ts';

const folder = join(import.meta.dirname, 'policies');
const customer = await startCustomer();
after(() => customer.close());
const policy_port = await freePort();
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},127.0.0.1:${policy_port}` });

const tenant = await makeMemberTenant(server);
const refund = await makeTool(server, tenant.keys.write, customer, { name: 'refund_order' });
const find = await makeTool(server, tenant.keys.write, customer, { name: 'find_order', method: 'GET' });
const hooks = `/projects/${tenant.id}/hooks`;
const { secret } = expectResponse(
  await server.api('POST', hooks, {
    key: tenant.keys.admin,
    body: { url: `https://127.0.0.1:${policy_port}/policy?version=1`, points: ['before'], timeout_ms: 3000 },
  }),
  201,
);

let decide: Decide = decidePlainly;
const policy = createServer(
  testAuthority.issue(['localhost']),
  createPolicy(secret, (call) => decide(call)),
);
policy.listen(policy_port, '127.0.0.1');
after(() => policy.closeAllConnections());
after(() => policy.close());

/** The outcome of a call by a member with these claims. */
async function outcome(
  claims: object,
  tool: { id: string },
  given: object = {},
  sub = unique('user'),
): Promise<string> {
  const member_assertion = assertionFor(server, tenant, { claims: { sub, claims } });
  const session = expectResponse(await exchange(server, tenant.integrationKey.key, { member_assertion }), 200);
  const response = await execute(server, session.session_token, tool.id, given);
  return response.status === 200
    ? 'allowed'
    : `${response.body.error.code}: ${response.body.error.details.hook_reason}`;
}

test('the plain policy lets everybody read, roles refund up to their amounts, and a manager confirm more', async () => {
  decide = decidePlainly;
  assert.equal(await outcome({}, find), 'allowed');
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 100 }), 'allowed');
  const denied = 'CALL_DENIED: A refund of 101 needs another role.';
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 101 }), denied);
  assert.match(await outcome({}, refund, { amount: 1 }), /^CALL_DENIED/);
  assert.match(await outcome({ role: 'manager' }, refund, { amount: 5000 }), /^CONFIRMATION_REQUIRED/);
});

test('a request that toolgate did not sign gets no decision', async () => {
  const response = await fetch(`http://127.0.0.1:${await plainPolicyPort()}/policy`, { method: 'POST', body: '{}' });
  assert.equal(response.status, 401);
});

async function plainPolicyPort(): Promise<number> {
  const plain = createHttpServer(createPolicy(secret, decidePlainly));
  after(() => plain.close());
  return listenOnFreePort(plain);
}

test('Cedar permits and forbids by claims, hints and arguments, and a policy that fails permits nothing', async () => {
  // Not a type of this project: the name is not known to the compiler.
  const name: string = '@cedar-policy/cedar-wasm/nodejs';
  const cedar = await import(name);
  decide = askCedar(cedar.default ?? cedar, readFileSync(join(folder, 'policy.cedar'), 'utf8'));
  assert.equal(await outcome({}, find), 'allowed');
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 100 }), 'allowed');
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 101 }), 'CALL_DENIED: No policy permits it.');
  assert.match(await outcome({ role: 'support', on_leave: true }, refund, { amount: 1 }), /^CALL_DENIED/);
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 'x' }), 'CALL_DENIED: A policy failed.');
  decide = askCedar(cedar.default ?? cedar, 'permit (');
  assert.match(await outcome({}, find), /^HOOK_FAILED/);
});

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function listen(respond: Respond): Promise<string> {
  const backend = createHttpServer((request, response) => void respond(request, response));
  after(() => backend.close());
  return `http://127.0.0.1:${await listenOnFreePort(backend)}`;
}

test('an OPA server decides by policy.rego', async (context) => {
  if (spawnSync('opa', ['version']).error) {
    context.skip('opa is not installed');
    return;
  }
  const port = await freePort();
  const opa = spawn('opa', ['run', '--server', '--addr', `127.0.0.1:${port}`, join(folder, 'policy.rego')]);
  after(() => opa.kill());
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true, 60_000, 'OPA is ready');
  decide = askOpa(`${url}/v1/data/toolgate/decision`);
  assert.equal(await outcome({}, find), 'allowed');
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 100 }), 'allowed');
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 101 }), 'CALL_DENIED: No rule allows it.');
});

test('the adapter of OPA sends the call as input, denies what no rule defines, and fails when OPA does', async () => {
  let given: { status: number; body: object } = { status: 200, body: { result: { decision: 'allow' } } };
  const asked: any[] = [];
  const url = await listen(async (request, response) => {
    asked.push([request.url, JSON.parse(Buffer.concat(await request.toArray()).toString())]);
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(JSON.stringify(given.body));
  });
  decide = askOpa(`${url}/v1/data/toolgate/decision`);
  assert.equal(await outcome({ role: 'support' }, refund, { amount: 7 }), 'allowed');
  const [[path, { input }]] = asked;
  assert.deepEqual(
    [path, input.tool.name, input.arguments],
    ['/v1/data/toolgate/decision', 'refund_order', { amount: 7 }],
  );
  given = { status: 200, body: {} };
  assert.equal(await outcome({}, find), 'CALL_DENIED: No rule allows it.');
  given = { status: 500, body: {} };
  assert.match(await outcome({}, find), /^HOOK_FAILED/);
});

test('the adapter of OpenFGA checks whether the member may call the tool', async () => {
  const url = await listen(async (request, response) => {
    const { tuple_key } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { user, relation, object } = tuple_key;
    const allowed =
      request.url === '/stores/01/check' && `${user} ${relation} ${object}` === 'user:ann can_call tool:refund_order';
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ allowed }));
  });
  decide = askOpenFga({ url, store_id: '01' });
  assert.equal(await outcome({}, refund, {}, 'ann'), 'allowed');
  assert.equal(await outcome({}, refund, {}, 'bob'), 'CALL_DENIED: You may not call refund_order.');
});
