// Integrations, the keys created from them, and their deletion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '@toolgate/contract/permissions.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import {
  assertionFor,
  exchange,
  isAlive,
  makeIntegration,
  makeIntegrationKey,
  makeMemberTenant,
  makeSession,
} from '../support/make/make-members.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

test('an integration can be created, read, listed, updated and deleted', async () => {
  const tenant = await makeTenant(server);
  const path = `/projects/${tenant.id}/integrations`;
  const made = expectResponse(await api('POST', path, { key: tenant.keys.webhook, body: { name: 'Shop' } }), 201);
  const { id, created_at, created_by, updated_at, ...rest } = made;
  assert.match(id, /^int_[0-9A-Za-z]{22}$/);
  assert.match(created_by, /^key_/);
  assert.deepEqual(rest, {
    object: 'integration',
    project_id: tenant.id,
    name: 'Shop',
    description: null,
    toolset_ids: null,
  });
  assert.deepEqual(expectResponse(await api('GET', `${path}/${id}`, { key: tenant.keys.read }), 200), made);

  const change = { key: tenant.keys.webhook, body: { description: 'The web shop' } };
  const changed = expectResponse(await api('PATCH', `${path}/${id}`, change), 200);
  assert.deepEqual([changed.name, changed.description, changed.created_at], ['Shop', 'The web shop', created_at]);
  assert.ok(changed.updated_at > updated_at);
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.read }), 200).data, [changed]);

  expectResponse(await api('DELETE', `${path}/${id}`, { key: tenant.keys.admin }), 204);
  for (const method of ['GET', 'DELETE'])
    expectResponse(await api(method, `${path}/${id}`, { key: tenant.keys.admin }), 404, 'Not found');
  expectResponse(await api('PATCH', `${path}/${id}`, change), 404, 'Not found');
});

test('integrations are listed newest first, page by page', async () => {
  const tenant = await makeTenant(server);
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.unshift((await makeIntegration(server, tenant.id)).id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = expectResponse(
      await api('GET', `/projects/${tenant.id}/integrations?limit=2${cursor}`, { key: tenant.keys.read }),
      200,
    );
    seen.push(...page.data.map((integration: { id: string }) => integration.id));
    cursor = page.has_more ? `&cursor=${page.next_cursor}` : '';
  } while (cursor !== '');
  assert.deepEqual(seen, ids);
});

test('reading needs read, creating and updating webhook, deleting and keys admin', async () => {
  const tenant = await makeTenant(server);
  const { id } = await makeIntegration(server, tenant.id);
  const path = `/projects/${tenant.id}/integrations`;
  const needs: [method: string, path: string, permission: Permission, body?: object][] = [
    ['GET', path, 'read'],
    ['GET', `${path}/${id}`, 'read'],
    ['POST', path, 'webhook', { name: 'x' }],
    ['PATCH', `${path}/${id}`, 'webhook', { name: 'y' }],
    ['GET', `${path}/${id}/api-keys`, 'admin'],
    ['POST', `${path}/${id}/api-keys`, 'admin', { name: 'k', permissions: ['read'] }],
    ['DELETE', `${path}/${id}`, 'admin'],
  ];
  for (const [method, where, permission, body] of needs) {
    for (const held of ['read', 'write', 'webhook'] as const) {
      if (held === permission) continue;
      expectResponse(await api(method, where, { key: tenant.keys[held], body }), 403, 'Insufficient permissions');
    }
    const response = await api(method, where, { key: tenant.keys[permission], body });
    assert.ok(response.status < 300, `${method} ${where} with ${permission}: ${response.text}`);
  }
});

test('an unknown or wrong field is refused and named', async () => {
  const tenant = await makeTenant(server);
  const path = `/projects/${tenant.id}/integrations`;
  for (const [body, field] of [
    [{ name: 'x', nmae: 'y' }, 'nmae'],
    [{ description: 'x' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', description: 'y'.repeat(1025) }, 'description'],
  ] as const) {
    const { error } = expectResponse(await api('POST', path, { key: ROOT_KEY, body }), 422, 'Validation error');
    assert.equal(error.details.field, field);
  }
});

test("an integration of another project is 401 under its own path and 404 under the caller's", async () => {
  const [one, two] = [await makeTenant(server), await makeTenant(server)];
  const { id } = await makeIntegration(server, two.id);
  const key = one.keys.admin;
  expectResponse(
    await api('GET', `/projects/${two.id}/integrations/${id}`, { key }),
    401,
    'Invalid or inactive API key',
  );
  const path = `/projects/${one.id}/integrations/${id}`;
  for (const method of ['GET', 'DELETE']) expectResponse(await api(method, path, { key }), 404, 'Not found');
  expectResponse(await api('PATCH', path, { key, body: { name: 'mine' } }), 404, 'Not found');
  expectResponse(await api('GET', `${path}/api-keys`, { key }), 404, 'Not found');
  expectResponse(
    await api('POST', `${path}/api-keys`, { key, body: { name: 'x', permissions: ['read'] } }),
    404,
    'Not found',
  );
  expectResponse(await api('GET', `/projects/${two.id}/integrations/${id}`, { key: two.keys.read }), 200);
});

test('a key created from an integration has its integration_id, is listed with it, and can be rotated and revoked', async () => {
  const tenant = await makeTenant(server);
  const [one, two] = [await makeIntegration(server, tenant.id), await makeIntegration(server, tenant.id)];
  const made = await makeIntegrationKey(server, tenant.id, one.id);
  await makeIntegrationKey(server, tenant.id, two.id);
  assert.deepEqual([made.object, made.integration_id, made.project_id], ['api_key', one.id, tenant.id]);
  const { key: _, ...shown } = made;
  const listed = expectResponse(
    await api('GET', `/projects/${tenant.id}/integrations/${one.id}/api-keys`, { key: tenant.keys.admin }),
    200,
  );
  assert.deepEqual(listed.data, [shown]);

  const keyPath = `/projects/${tenant.id}/api-keys/${made.id}`;
  const successor = expectResponse(await api('POST', `${keyPath}/rotate`, { key: tenant.keys.admin }), 201);
  assert.equal(successor.integration_id, one.id);
  expectResponse(
    await api('POST', `/projects/${tenant.id}/api-keys/${successor.id}/revoke`, { key: tenant.keys.admin }),
    200,
  );
});

test('deleting an integration ends its keys and sessions and no others', async () => {
  const tenant = await makeMemberTenant(server);
  const ended = await makeSession(server, tenant);
  const elsewhere = await makeIntegration(server, tenant.id);
  const otherKey = await makeIntegrationKey(server, tenant.id, elsewhere.id);
  const kept = await makeSession(server, { ...tenant, integrationKey: otherKey });

  const path = `/projects/${tenant.id}/integrations/${tenant.integration.id}`;
  expectResponse(await api('DELETE', path, { key: tenant.keys.admin }), 204);
  const member_assertion = assertionFor(server, tenant);
  expectResponse(
    await exchange(server, tenant.integrationKey.key, { member_assertion }),
    401,
    'Invalid or inactive API key',
  );
  expectResponse(
    await api('GET', `/projects/${tenant.id}/api-keys/${tenant.integrationKey.id}`, { key: tenant.keys.admin }),
    404,
  );
  assert.equal(await isAlive(server, ended.session_token), false);
  assert.equal(await isAlive(server, kept.session_token), true);
});

test('keys created while their integration is deleted are refused or deleted with it', async () => {
  const tenant = await makeTenant(server);
  const { id } = await makeIntegration(server, tenant.id);
  const path = `/projects/${tenant.id}/integrations/${id}`;
  const body = { name: unique('key'), permissions: ['read'] };
  const creating = Array.from({ length: 10 }, () => api('POST', `${path}/api-keys`, { key: ROOT_KEY, body }));
  const [deleted, ...responses] = await Promise.all([api('DELETE', path, { key: ROOT_KEY }), ...creating]);
  expectResponse(deleted as never, 204);
  for (const { status, text } of responses) assert.ok([201, 404].includes(status), text);
  for (const { body: made } of responses.filter(({ status }) => status === 201)) {
    expectResponse(await api('GET', `/projects/${tenant.id}`, { key: made.key }), 401, 'Invalid or inactive API key');
  }
});

test('a key rotated while its integration is deleted is deleted with it; neither call fails', async () => {
  const tenant = await makeTenant(server);
  for (let round = 0; round < 5; round += 1) {
    const { id } = await makeIntegration(server, tenant.id);
    const key = await makeIntegrationKey(server, tenant.id, id);
    const [rotated, deleted] = await Promise.all([
      api('POST', `/projects/${tenant.id}/api-keys/${key.id}/rotate`, { key: ROOT_KEY }),
      api('DELETE', `/projects/${tenant.id}/integrations/${id}`, { key: ROOT_KEY }),
    ]);
    expectResponse(deleted, 204);
    assert.ok([201, 404].includes(rotated.status), rotated.text);
    if (rotated.status === 201) expectResponse(await api('GET', '/projects', { key: rotated.body.key }), 401);
  }
});

test('every change to integrations, assertion keys and sessions records an event', async () => {
  const tenant = await makeMemberTenant(server);
  const { id, integration, signer, keys } = tenant;
  const path = `/projects/${id}/integrations/${integration.id}`;
  expectResponse(await api('PATCH', path, { key: keys.webhook, body: { name: 'Renamed' } }), 200);
  const { member } = await makeSession(server, tenant);
  for (let i = 0; i < 2; i += 1)
    expectResponse(await api('POST', `/members/${member.id}/revoke-sessions`, { key: keys.admin }), 200);
  for (let i = 0; i < 2; i += 1)
    expectResponse(await api('POST', `/assertion-keys/${signer.id}/deactivate`, { key: keys.write }), 200);
  expectResponse(await api('DELETE', `/assertion-keys/${signer.id}`, { key: keys.admin }), 204);
  expectResponse(await api('DELETE', path, { key: keys.admin }), 204);

  const { data } = expectResponse(await api('GET', `/projects/${id}/events?limit=100`, { key: ROOT_KEY }), 200);
  const types = data
    .map((event: { type: string }) => event.type)
    .filter((type: string) => !/^(project|api_key.created)/.test(type));
  assert.deepEqual(types.reverse(), [
    'integration.created',
    'assertion_key.created',
    'integration.updated',
    'member_session.created',
    'member_session.revoked',
    'assertion_key.deactivated',
    'assertion_key.deleted',
    'api_key.deleted',
    'integration.deleted',
  ]);
});
