// Creates projects and keys with the root key, which is not rate limited.

import assert from 'node:assert/strict';
import type { Permission } from '@toolgate/contract/permissions.ts';
import type { ApiResponse } from '../requests/call-api.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';

let count = 0;
export function unique(word: string): string {
  count += 1;
  return `${word}-${count}`;
}

export type MadeKey = { id: string; key: string; project_id: string; [field: string]: any };

/** Expects this status and, if given, exactly this message. Returns the body. */
export function expectResponse(response: ApiResponse, status: number, message?: string): any {
  assert.equal(response.status, status, response.text);
  if (message !== undefined) assert.equal(response.body?.error?.message, message);
  return response.body;
}

/** Enterprise, so that no rate limit affects the test. */
export async function makeProject(server: Pick<TestServer, 'api'>, fields: object = {}): Promise<any> {
  const body = { name: unique('project'), plan: 'enterprise', ...fields };
  return expectResponse(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
}

export async function makeKey(
  server: Pick<TestServer, 'api'>,
  project_id: string,
  permissions: Permission[] = ['admin'],
  fields: object = {},
): Promise<MadeKey> {
  const body = { name: unique('key'), permissions, ...fields };
  return expectResponse(await server.api('POST', `/projects/${project_id}/api-keys`, { key: ROOT_KEY, body }), 201);
}

/** A project with one key for each permission. */
export async function makeTenant(server: Pick<TestServer, 'api'>, fields: object = {}) {
  const project = await makeProject(server, fields);
  const keys: Record<Permission, string> = { read: '', write: '', webhook: '', admin: '' };
  for (const permission of Object.keys(keys) as Permission[])
    keys[permission] = (await makeKey(server, project.id, [permission])).key;
  return { ...project, keys } as { id: string; keys: typeof keys; [field: string]: any };
}
