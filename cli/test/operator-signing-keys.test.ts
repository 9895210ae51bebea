// toolgate signing-keys rotate and audit rotate-key beside a running server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { startProcess } from '../../server/test/support/servers/start-process.ts';
import { ROOT_KEY } from '../../server/test/support/servers/start-server.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { runToolgate } from './run-toolgate.ts';

test('signing-keys rotate replaces the keys of the projects that have one, while the server runs', async () => {
  const server = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY });
  const tenant = await makeTenant(server as never);
  const body = {
    name: 'orders',
    base_url: 'https://api.example.com',
    endpoint_path: '/orders',
    input_schema: { type: 'object' },
    auth_strategy: 'member_jwt',
    auth_config: { audience: 'https://api.example.com' },
  };
  expectResponse(await server.api('POST', '/custom-tools', { key: tenant.keys.write, body }), 201);
  const published = async () =>
    expectResponse(await server.api('GET', `/projects/${tenant.id}/jwks.json`), 200).keys.map(({ kid }: any) => kid);
  const [first] = await published();
  assert.ok(first);
  const settings = { TOOLGATE_DATA_DIR: server.data_dir, PORT: new URL(server.url).port };
  const rotated = await runToolgate(['signing-keys', 'rotate', '--json'], settings);
  assert.equal(rotated.code, 0, rotated.stderr);
  const [{ project_id, kid }] = JSON.parse(rotated.stdout);
  assert.equal(project_id, tenant.id);
  await waitUntil(async () => (await published())[0] === kid, 60_000, 'the new key is published');
  assert.deepEqual(await published(), [kid, first]);
  const unknown = await runToolgate(['signing-keys', 'rotate', '--project', 'prj_0000000000000000000000'], settings);
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  const wrong = await runToolgate(['signing-keys', 'rotate', '--overlap-seconds', '-1'], settings);
  assert.equal(wrong.code, 2);
});

test('audit rotate-key replaces the key of audit files while the server runs, and keeps the old one published', async () => {
  const server = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY });
  const published = async () =>
    expectResponse(await server.api('GET', '/audit-keys'), 200).keys.map(({ kid }: any) => kid);
  const [first] = await published();
  const settings = { TOOLGATE_DATA_DIR: server.data_dir, PORT: new URL(server.url).port };
  const rotated = await runToolgate(['audit', 'rotate-key', '--json'], settings);
  assert.equal(rotated.code, 0, rotated.stderr);
  const { kid, retired } = JSON.parse(rotated.stdout);
  assert.equal(retired, first);
  assert.deepEqual(await published(), [kid, first]);
});
