import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Permission, permissions } from '@toolgate/contract/permissions.ts';
import Fastify from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { CallerAccess, Server } from '../api/route.ts';
import { ApiError } from '../errors/errors.ts';
import { authorize, requireDeclaredAccess } from './authorize.ts';

const reauthenticate = () => assert.fail('authorize must not reauthenticate');
const project = {} as Caller['project'] & object;
const key = (...held: Permission[]): Caller => ({
  kind: 'api_key',
  can_approve: false,
  layers: [],
  project,
  api_key_id: 'key_1',
  integration_id: null,
  permissions: held,
  expires_at: null,
  reauthenticate,
});
const root: Caller = { kind: 'root', project: null };
const member: Caller = {
  kind: 'member',
  layers: [],
  project,
  session_id: 'ses_1',
  api_key_id: 'key_1',
  integration_id: 'int_1',
  member_id: 'mem_1',
  external_id: 'u1',
  claims: {},
  oauth_client_id: null,
  permissions: [],
  may_call_tools: true,
  grant: null,
  expires_at: '',
  reauthenticate,
};

/** Returns the status of the refusal, or 200. */
function statusOf(caller: Caller, access: CallerAccess): number {
  try {
    authorize(caller, { access });
    return 200;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.status;
  }
}

test('a route that does not declare who may call it stops the server from starting', () => {
  const server = Fastify() as unknown as Server;
  requireDeclaredAccess(server);
  assert.throws(() => server.get('/undeclared', async () => ({})), /GET \/undeclared does not declare who may call it/);
  assert.doesNotThrow(() => server.get('/declared', { config: { access: 'read' } }, async () => ({})));
});

test('admin implies every permission, and no other permission implies another', () => {
  for (const held of permissions) {
    for (const needed of permissions) {
      assert.equal(
        statusOf(key(held), needed),
        held === 'admin' || held === needed ? 200 : 403,
        `${held} for ${needed}`,
      );
    }
  }
});

test('a key has all of its permissions', () => {
  assert.equal(statusOf(key('read', 'webhook'), 'webhook'), 200);
  assert.equal(statusOf(key('read', 'webhook'), 'write'), 403);
});

test('every active key passes on api_key routes and may call tools', () => {
  for (const held of permissions) {
    assert.equal(statusOf(key(held), 'api_key'), 200);
    assert.equal(statusOf(key(held), 'caller'), 200);
  }
});

test('the root key may do everything except call tools', () => {
  for (const access of [...permissions, 'api_key'] as const) assert.equal(statusOf(root, access), 200);
  assert.equal(statusOf(root, 'caller'), 403);
});

test('a member session may only call tools', () => {
  assert.equal(statusOf(member, 'caller'), 200);
  for (const access of permissions) assert.equal(statusOf(member, access), 403);
  assert.equal(statusOf(member, 'api_key'), 401);
});
