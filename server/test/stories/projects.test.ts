// Projects: creation, settings, changes and deletion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeKey, makeProject, makeTenant, unique } from '../support/make/make.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const server = await startServer({ TOOLGATE_AUDIT_DAYS: '731' });
const { api } = server;

test('the root key lists every project; a project key lists its own only', async () => {
  const [one, two] = [await makeTenant(server), await makeTenant(server)];
  const seen = expectResponse(await api('GET', '/projects', { key: one.keys.read }), 200);
  assert.deepEqual(
    seen.data.map((project: any) => project.id),
    [one.id],
  );
  const all = expectResponse(await api('GET', '/projects?limit=100', { key: ROOT_KEY }), 200).data.map(
    (project: any) => project.id,
  );
  assert.ok(all.includes(one.id) && all.includes(two.id));
});

test('a change to a project is visible in the next request', async () => {
  const tenant = await makeTenant(server);
  await api('GET', `/projects/${tenant.id}`, { key: tenant.keys.read });
  for (let i = 0; i < 20; i += 1) {
    const name = unique('renamed');
    expectResponse(await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.write, body: { name } }), 200);
    assert.equal(expectResponse(await api('GET', `/projects/${tenant.id}`, { key: tenant.keys.read }), 200).name, name);
  }
});

test('an archived project is listed as such, and its keys and tools work as before', async () => {
  const { id, keys } = await makeTenant(server);
  const archive = (is_archived: unknown) =>
    api('PATCH', `/projects/${id}`, { key: keys.write, body: { is_archived } as object });
  const listed = async (query: string, key: string) =>
    expectResponse(await api('GET', `/projects?limit=100${query}`, { key }), 200).data.some(
      (project: any) => project.id === id,
    );
  const lists = async (key: string) => [
    await listed('', key),
    await listed('&is_archived=true', key),
    await listed('&is_archived=false', key),
  ];
  assert.deepEqual(await lists(ROOT_KEY), [true, false, true]);
  assert.equal(expectResponse(await archive(true), 200).is_archived, true);
  for (const key of [ROOT_KEY, keys.read]) assert.deepEqual(await lists(key), [true, true, false]);
  expectResponse(await api('GET', '/custom-tools', { key: keys.read }), 200);
  const [entry] = expectResponse(await api('GET', `/projects/${id}/audit-log`, { key: keys.admin }), 200).data;
  assert.deepEqual([entry.before.is_archived, entry.after.is_archived], [false, true]);
  expectResponse(await archive('yes'), 422);
  assert.equal(expectResponse(await archive(false), 200).is_archived, false);
  assert.deepEqual(await lists(ROOT_KEY), [true, false, true]);
  expectResponse(await api('GET', '/projects?is_archived=maybe', { key: ROOT_KEY }), 422);
});

test('mcp_connected_at is when a model first connected, and no other request sets it', async () => {
  const { id, keys } = await makeTenant(server);
  const connectedAt = async () =>
    expectResponse(await api('GET', `/projects/${id}`, { key: keys.read }), 200).mcp_connected_at;
  const connect = (key: string) =>
    api('POST', '/mcp', { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } });
  expectResponse(await api('GET', '/custom-tools', { key: keys.read }), 200);
  await connect(`${keys.read.slice(0, -1)}_`);
  assert.equal(await connectedAt(), null);

  expectResponse(await connect(keys.read), 200);
  await waitUntil(async () => (await connectedAt()) !== null, 5_000, 'the connection is written');
  const first = await connectedAt();
  server.advance(60_000);
  expectResponse(await connect(keys.write), 200);
  expectResponse(await api('PATCH', `/projects/${id}`, { key: keys.write, body: { name: 'reads it again' } }), 200);
  assert.equal(await connectedAt(), first);
});

test('an empty change changes nothing and records no event and no audit entry', async () => {
  const { id } = await makeProject(server);
  const integrations = `/projects/${id}/integrations`;
  const integration = expectResponse(await api('POST', integrations, { key: ROOT_KEY, body: { name: 'Shop' } }), 201);
  const recorded = async () => [
    expectResponse(await api('GET', `/projects/${id}/events`, { key: ROOT_KEY }), 200).data,
    expectResponse(await api('GET', `/projects/${id}/audit-log`, { key: ROOT_KEY }), 200).data.length,
  ];
  const before = await recorded();
  for (const path of [`/projects/${id}`, `/projects/${id}/settings`, `${integrations}/${integration.id}`]) {
    const response = expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: {} }), 200);
    assert.deepEqual(response, expectResponse(await api('GET', path, { key: ROOT_KEY }), 200));
  }
  assert.deepEqual(await recorded(), before);
});

test('a deleted project refuses its keys and is not found by the root key', async () => {
  const tenant = await makeTenant(server);
  expectResponse(await api('DELETE', `/projects/${tenant.id}`, { key: tenant.keys.admin }), 204);
  expectResponse(
    await api('GET', `/projects/${tenant.id}`, { key: tenant.keys.read }),
    401,
    'Invalid or inactive API key',
  );
  expectResponse(await api('GET', `/projects/${tenant.id}`, { key: ROOT_KEY }), 404, 'Not found');
});

test('a sibling created by a project key has a key with the same permissions, valid for the sibling only', async () => {
  const tenant = await makeTenant(server);
  const parent = await makeKey(server, tenant.id, ['read', 'write']);
  const sibling = expectResponse(await api('POST', '/projects', { key: parent.key, body: { name: 'Sibling' } }), 201);
  assert.deepEqual(sibling.api_key.permissions, ['read', 'write']);
  assert.equal(sibling.organization_id, tenant.organization_id);
  expectResponse(await api('GET', `/projects/${sibling.id}`, { key: sibling.api_key.key }), 200);
  expectResponse(await api('GET', `/projects/${tenant.id}`, { key: sibling.api_key.key }), 401);
  expectResponse(await api('GET', `/projects/${sibling.id}`, { key: parent.key }), 401);
});

test('plan and requests_per_hour are set by the root key only', async () => {
  const tenant = await makeTenant(server);
  for (const change of [{ plan: 'pro' }, { requests_per_hour: 5 }]) {
    const refused = await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.admin, body: change });
    expectResponse(refused, 403, 'Insufficient permissions');
    expectResponse(await api('POST', '/projects', { key: tenant.keys.admin, body: { name: 'x', ...change } }), 403);
  }
  expectResponse(await api('PATCH', `/projects/${tenant.id}`, { key: ROOT_KEY, body: { plan: 'pro' } }), 200);
});

test('only an admin key changes the environment, and keys keep their prefix', async () => {
  const tenant = await makeTenant(server);
  expectResponse(
    await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.write, body: { environment: 'production' } }),
    403,
  );
  expectResponse(
    await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.admin, body: { environment: 'production' } }),
    200,
  );
  assert.match(tenant.keys.read, /^svc_test_/);
  expectResponse(await api('GET', `/projects/${tenant.id}`, { key: tenant.keys.read }), 200);
  assert.match((await makeKey(server, tenant.id)).key, /^svc_live_/);
});

test('explicit settings are kept, others have their default, and an unknown one is refused', async () => {
  const tenant = await makeTenant(server);
  const path = `/projects/${tenant.id}/settings`;
  const before = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
  assert.deepEqual(before, {
    mcp_server_name: null,
    mcp_instructions: null,
    max_response_bytes: 1_048_576,
    record_payloads: false,
    file_retention_seconds: 3600,
    redact_fields: [],
    member_access: { default: null, rules: [] },
    confirm_destructive: false,
    approval_url: null,
    connect_url: null,
    listing: {
      homepage_url: null,
      privacy_url: null,
      terms_url: null,
      support_email: null,
      description: null,
      icon_url: null,
      version: null,
    },
    oauth_member_id: 'subject',
  });
  expectResponse(await api('PATCH', path, { key: tenant.keys.write, body: { mcp_server_name: 'Shop' } }), 200);
  const after = expectResponse(
    await api('PATCH', path, { key: tenant.keys.write, body: { max_response_bytes: 2048 } }),
    200,
  );
  assert.deepEqual(after, { ...before, mcp_server_name: 'Shop', max_response_bytes: 2048 });
  const refused = expectResponse(
    await api('PATCH', path, { key: tenant.keys.write, body: { color: 'red' } }),
    422,
    'Validation error',
  );
  assert.equal(refused.error.details.field, 'color');
});

test('two concurrent changes to the settings are both kept', async () => {
  const { id } = await makeProject(server);
  const path = `/projects/${id}/settings`;
  await Promise.all([
    api('PATCH', path, { key: ROOT_KEY, body: { mcp_server_name: 'one' } }),
    api('PATCH', path, { key: ROOT_KEY, body: { mcp_instructions: 'two' } }),
  ]);
  const { mcp_server_name, mcp_instructions } = expectResponse(await api('GET', path, { key: ROOT_KEY }), 200);
  assert.deepEqual([mcp_server_name, mcp_instructions], ['one', 'two']);
});

test('the key of a sibling expires when the key that created it does', async () => {
  const tenant = await makeTenant(server);
  const expires_at = new Date(server.app.now() + 3_600_000).toISOString();
  const parent = await makeKey(server, tenant.id, ['write'], { expires_at });
  const sibling = expectResponse(await api('POST', '/projects', { key: parent.key, body: { name: 'Sibling' } }), 201);
  assert.equal(Date.parse(sibling.api_key.expires_at), Date.parse(expires_at));
});

test('the retention that the operator has set can be read by everybody who reads the project', async () => {
  const tenant = await makeTenant(server);
  const retention = expectResponse(
    await api('GET', `/projects/${tenant.id}/retention`, { key: tenant.keys.read }),
    200,
  );
  const others = { call_log_days: 30, event_days: 30, delivery_days: 30, deleted_project_days: 30 };
  assert.deepEqual(retention, { object: 'retention', audit_days: 731, ...others });
});
