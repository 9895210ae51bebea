// Calls that wait for a slot: a change made meanwhile applies when the call has its slot.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeKey, unique } from '../support/make/make.ts';
import { makeOwner, makePerson } from '../support/make/make-accounts.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const [customer, other] = [await startCustomer(), await startCustomer()];
after(() => Promise.all([customer.close(), other.close()]));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${other.address}` });
const SLOTS = 10;

/** Called whenever a call asks for a slot; that it gets or queues for one is decided within the same turn. */
let asked = () => {};
const { send } = server.app;
server.app.send = Object.assign(
  (request: Parameters<typeof send>[0]) => {
    const sent = send(request);
    asked();
    return sent;
  },
  { close: async () => {} },
);

type Tenant = Awaited<ReturnType<typeof makeMemberTenant>>;

/** Takes every slot of the customer's origin, begins the calls, does `change`, and only then frees the slots. */
async function whileQueued(tenant: Tenant, calls: (() => Promise<ApiResponse>)[], change: () => Promise<unknown>) {
  const holder = await makeTool(server, tenant.keys.write, customer);
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  customer.respond(holder.endpoint_path, () => {
    if (customer.at(holder.endpoint_path).length === SLOTS) arrive();
    return { hold };
  });
  const holding = Array.from({ length: SLOTS }, () => execute(server, tenant.keys.read, holder.id));
  await arrived;
  const responses: Promise<ApiResponse>[] = [];
  for (const call of calls) {
    const queued = new Promise<void>((resolve) => (asked = resolve));
    responses.push(call());
    await queued;
  }
  await change();
  release();
  await Promise.all(holding);
  return Promise.all(responses);
}

const patch = (tenant: Tenant, tool: MadeTool, body: object) => async () =>
  expectResponse(await server.api('PATCH', `/custom-tools/${tool.id}`, { key: tenant.keys.write, body }), 200);

test('a queued call of a key that is revoked meanwhile is 401, over REST and MCP, and nothing is sent', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const { id, key } = await makeKey(server, tenant.id, ['read']);
  const calls = [() => execute(server, key, tool.id), () => callTool(modern, server, key, tool.name)];
  const responses = await whileQueued(tenant, calls, () =>
    server.api('POST', `/projects/${tenant.id}/api-keys/${id}/revoke`, { key: ROOT_KEY }),
  );
  for (const response of responses) expectResponse(response, 401, 'Invalid or inactive API key');
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('a queued test call of a person who is removed meanwhile is 401, and nothing is sent', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const owner = await makeOwner(server);
  const person = await makePerson(server, owner, 'developer');
  const call = () => person.api('POST', `/custom-tools/${tool.id}/execute`, { project: tenant.id, body: {} });
  const [response] = await whileQueued(tenant, [call], () =>
    owner.api('DELETE', `/organization/accounts/${person.account.id}`),
  );
  expectResponse(response as ApiResponse, 401, 'Not signed in, or the session has expired');
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('a queued call of a member whose sessions are revoked meanwhile is 401, and nothing is sent', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  const { session_token, member } = await makeSession(server, tenant);
  const [response] = await whileQueued(tenant, [() => execute(server, session_token, tool.id)], async () =>
    expectResponse(await server.api('POST', `/members/${member.id}/revoke-sessions`, { key: tenant.keys.admin }), 200),
  );
  expectResponse(response as ApiResponse, 401);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('a queued call of a project that is deleted meanwhile is 401, and nothing is sent', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const [response] = await whileQueued(tenant, [() => execute(server, tenant.keys.read, tool.id)], async () =>
    expectResponse(await server.api('DELETE', `/projects/${tenant.id}`, { key: ROOT_KEY }), 204),
  );
  expectResponse(response as ApiResponse, 401);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('a queued call of a tool that is disabled, or deleted, meanwhile is refused like a new call', async () => {
  const tenant = await makeMemberTenant(server);
  for (const [method, path, done, status] of [
    ['POST', '/disable', 200, 403],
    ['DELETE', '', 204, 404],
  ] as const) {
    const tool = await makeTool(server, tenant.keys.write, customer);
    const [response] = await whileQueued(tenant, [() => execute(server, tenant.keys.read, tool.id)], async () =>
      expectResponse(await server.api(method, `/custom-tools/${tool.id}${path}`, { key: tenant.keys.admin }), done),
    );
    expectResponse(response as ApiResponse, status);
    assert.deepEqual(customer.at(tool.endpoint_path), []);
  }
});

test('a queued call of a tool that leaves the toolset of the key, or of the address, meanwhile is refused, and nothing is sent', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const toolset = await makeToolset(server, tenant.id, { tool_ids: [tool.id] });
  const { key } = await makeKey(server, tenant.id, ['read'], { toolset_ids: [toolset.id] });
  const path = `/api/v1/mcp/toolsets/${toolset.slug}`;
  const calls = [
    () => execute(server, key, tool.id),
    () => callTool(modern, server, tenant.keys.read, tool.name, {}, { path }),
  ];
  const [rest, mcp] = (await whileQueued(tenant, calls, async () => {
    const change = { key: ROOT_KEY, body: { tool_ids: [] } };
    expectResponse(await server.api('PATCH', `/projects/${tenant.id}/toolsets/${toolset.id}`, change), 200);
  })) as [ApiResponse, ApiResponse];
  expectResponse(rest, 404);
  assert.equal(mcp.body.error.message, `Unknown tool: ${tool.name}`);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('a queued call is sent with the secret, to the path and to the origin that the tool has when its slot comes', async () => {
  const tenant = await makeMemberTenant(server);
  const bearer = { auth_strategy: 'bearer_token', encrypted_auth_secret: 'old-secret' };
  const tool = await makeTool(server, tenant.keys.write, customer, bearer);
  const moved = `/${unique('moved')}`;
  const [response] = await whileQueued(
    tenant,
    [() => execute(server, tenant.keys.read, tool.id)],
    patch(tenant, tool, { base_url: other.url, endpoint_path: moved, encrypted_auth_secret: 'new-secret' }),
  );
  expectResponse(response as ApiResponse, 200);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
  assert.deepEqual(
    other.at(moved).map(({ headers }) => headers.authorization),
    ['Bearer new-secret'],
  );
});

test('a queued call uses its yes if it is sent, and only then: one whose credential ends, or whose tool changes, meanwhile does not', async () => {
  const tenant = await makeMemberTenant(server);
  const changes = [
    ['used', 200, { encrypted_auth_secret: 'new-secret' }],
    ['cancelled', 409, { endpoint_path: `/${unique('moved')}` }],
    ['cancelled', 401, null],
  ] as const;
  for (const [status, responded, change] of changes) {
    const tool = await makeTool(server, tenant.keys.write, customer, {
      auth_strategy: 'bearer_token',
      encrypted_auth_secret: 'old-secret',
      confirm: { by: 'approver' },
    });
    const { id, key } = await makeKey(server, tenant.id, ['read']);
    const approval = expectResponse(await execute(server, key, tool.id), 409).error.details.approval.id;
    const path = `/projects/${tenant.id}/approvals/${approval}`;
    expectResponse(await server.api('POST', `${path}/approve`, { key: tenant.keys.admin }), 200);
    const setActive = (is_active: boolean) => async () => {
      const asked = { key: ROOT_KEY, body: { is_active } };
      expectResponse(await server.api('PATCH', `/projects/${tenant.id}/api-keys/${id}`, asked), 200);
    };
    const call = () => execute(server, key, tool.id, {}, { 'x-toolgate-approval': approval });
    const [response] = await whileQueued(tenant, [call], change ? patch(tenant, tool, change) : setActive(false));
    expectResponse(response as ApiResponse, responded);
    assert.equal(customer.at(tool.endpoint_path).length, responded === 200 ? 1 : 0);
    // Also when tool and key are as they were: what has ended does not count again.
    await (change ? patch(tenant, tool, { endpoint_path: tool.endpoint_path }) : setActive(true))();
    assert.equal(expectResponse(await server.api('GET', path, { key: tenant.keys.admin }), 200).status, status);
  }
});

test('the arguments of a queued call must satisfy the schema that the tool has when its slot comes', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const [response] = await whileQueued(
    tenant,
    [() => execute(server, tenant.keys.read, tool.id, { a: 1 })],
    patch(tenant, tool, { input_schema: { type: 'object', properties: { a: { type: 'string' } } } }),
  );
  assert.equal(expectResponse(response as ApiResponse, 422).error.details.field, 'a');
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('a token whose fetch waits is fetched with the secret that the tool has when the slot comes', async () => {
  const tenant = await makeMemberTenant(server);
  const token_path = `/${unique('token')}`;
  customer.respond(token_path, { body: { access_token: 'the-token', expires_in: 300 } });
  const tool = await makeTool(server, tenant.keys.write, customer, {
    auth_strategy: 'oauth2_client_credentials',
    auth_config: { token_url: `${customer.url}${token_path}`, client_id: 'id' },
    encrypted_auth_secret: 'old-secret',
  });
  const { id, key } = await makeKey(server, tenant.id, ['read']);
  const revoked = () => execute(server, key, tool.id);
  const allowed = () => execute(server, tenant.keys.read, tool.id);
  const [response] = await whileQueued(tenant, [allowed], patch(tenant, tool, { encrypted_auth_secret: 'new-secret' }));
  expectResponse(response as ApiResponse, 200);
  const [refused] = await whileQueued(tenant, [revoked], async () => {
    await patch(tenant, tool, { encrypted_auth_secret: 'newest-secret' })();
    expectResponse(await server.api('POST', `/projects/${tenant.id}/api-keys/${id}/revoke`, { key: ROOT_KEY }), 200);
  });
  expectResponse(refused as ApiResponse, 401);
  const credentials = customer.at(token_path).map(({ headers }) => atob(headers.authorization?.slice(6) ?? ''));
  assert.deepEqual(credentials, ['id:new-secret']);
  assert.equal(customer.at(tool.endpoint_path).length, 1);
});

test('a queued call makes no query when its slot comes and nothing has changed', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  expectResponse(await execute(server, tenant.keys.read, tool.id), 200); // in the cache from now on
  const { pool } = server.app;
  const clients: { release(): void }[] = [];
  const [response] = await whileQueued(tenant, [() => execute(server, tenant.keys.read, tool.id)], async () => {
    clients.push(...(await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))));
  }).finally(() => {
    for (const client of clients) client.release();
  });
  expectResponse(response as ApiResponse, 200);
});
