// toolgate start, migrate, audit verify and master-key rotate.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectResponse } from '../../server/test/support/make/make.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../../server/test/support/peers/write-authority-file.ts';
import { makeDataDir, startProcess } from '../../server/test/support/servers/start-process.ts';
import { runOnTerminal, runToolgate } from './run-toolgate.ts';
import { runProcess, toolgate } from './toolgate-process.ts';

const customer = await startCustomer();
after(() => customer.close());
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address, NODE_EXTRA_CA_CERTS: writeAuthorityFile() };

test('a missing argument, and an unknown option, are exit code 2 with words on stderr only', async () => {
  for (const args of [['backup'], ['restore'], ['audit', 'verify', '--expect-head', 'x'], ['migrate', '--dry']]) {
    const { code, stdout, stderr } = await runToolgate(args);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.notEqual(stderr, '');
  }
});

test('migrate --dry-run lists what migrate runs, and creates nothing', async () => {
  const data_dir = join(makeDataDir(), 'data');
  const settings = { TOOLGATE_DATA_DIR: data_dir };
  const listed = await runToolgate(['migrate', '--dry-run'], settings);
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /^0001_organizations\.sql\n/);
  assert.ok(!existsSync(data_dir));
  const ran = await runProcess(['migrate'], settings);
  assert.deepEqual([ran.code, ran.stdout], [0, listed.stdout], ran.stderr);
  const again = await runToolgate(['migrate', '--dry-run', '--json'], settings);
  assert.deepEqual(JSON.parse(again.stdout), { dry_run: true, migrations: [] });
});

test('start serves until SIGTERM; audit verify works meanwhile; master-key rotate is refused until it is stopped', async () => {
  const server = await startProcess(environment, makeDataDir(), [...toolgate, 'start']);
  const settings = { TOOLGATE_DATA_DIR: server.data_dir };
  const root = readFileSync(join(server.data_dir, 'root.key'), 'utf8').trim();
  const { id } = expectResponse(await server.api('POST', '/projects', { key: root, body: { name: 'p' } }), 201);
  const made = await server.api('POST', `/projects/${id}/api-keys`, {
    key: root,
    body: { name: 'k', permissions: ['admin'] },
  });
  const { key } = expectResponse(made, 201);
  const tool = {
    name: 'sealed',
    base_url: customer.url,
    endpoint_path: '/sealed',
    input_schema: { type: 'object' },
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: 'kept-over-the-rotation',
  };
  expectResponse(await server.api('POST', '/custom-tools', { key, body: tool }), 201);

  const verified = await runToolgate(['audit', 'verify', '--json'], settings);
  assert.equal(verified.code, 0, verified.stderr);
  assert.equal(JSON.parse(verified.stdout).is_intact, true);
  const head = 'f'.repeat(64);
  const unmet = await runToolgate(['audit', 'verify', '--expect-head', head], settings);
  assert.equal(unmet.code, 1, 'a head that is not in the chain');

  const path = join(server.data_dir, 'master.key');
  const old = readFileSync(path, 'utf8').trim();
  const early = await runToolgate(['master-key', 'rotate'], settings);
  assert.equal(early.code, 1);
  assert.match(early.stderr, /another toolgate server is already using/);
  assert.equal(readFileSync(path, 'utf8').trim(), old);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });

  const rotated = await runToolgate(['master-key', 'rotate', '--json'], settings);
  assert.equal(rotated.code, 0, rotated.stderr);
  const { master_key_id, rewrapped, unreadable } = JSON.parse(rotated.stdout);
  assert.ok(rewrapped >= 2 && unreadable.length === 0, 'the data keys of the project and of the installation');
  const [fresh, ...kept] = readFileSync(path, 'utf8').trim().split(',');
  assert.deepEqual([fresh?.split(':')[0], kept], [master_key_id, [old]]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.ok(!(rotated.stdout + rotated.stderr).includes(fresh?.split(':')[1] ?? ''), 'the key is printed');

  // Only the new key: nothing needs the old one any more.
  const again = await startProcess({ ...environment, TOOLGATE_MASTER_KEYS: fresh ?? '' }, server.data_dir);
  expectResponse(await again.api('POST', '/custom-tools/sealed/execute', { key, body: { arguments: {} } }), 200);
  assert.equal(customer.at('/sealed').at(-1)?.headers.authorization, 'Bearer kept-over-the-rotation');
  await again.stop();
  const both = await startProcess(environment, server.data_dir);
  expectResponse(await both.api('POST', '/custom-tools/sealed/execute', { key, body: { arguments: {} } }), 200);
  await both.stop();

  await rotateBySetting(server.data_dir, fresh ?? '');
});

/** With TOOLGATE_MASTER_KEYS the first run makes a key, and the second wraps with it. */
async function rotateBySetting(data_dir: string, current: string): Promise<void> {
  const settings = (keys: string) => ({ TOOLGATE_DATA_DIR: data_dir, TOOLGATE_MASTER_KEYS: keys });
  const first = await runToolgate(['master-key', 'rotate'], settings(current));
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^\w+:[A-Za-z0-9+/]{43}=\n$/);
  const both = settings(`${first.stdout.trim()},${current}`);
  const shown = await runOnTerminal(['master-key', 'rotate'], both);
  assert.equal(shown.code, 0, shown.stdout);
  assert.match(shown.stdout, /data keys \[=+\] 100 %/, 'the progress bar of a terminal');
  const second = await runToolgate(['master-key', 'rotate', '--json'], both);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(JSON.parse(second.stdout).master_key_id, first.stdout.split(':')[0]);
  const wrong = await runToolgate(['master-key', 'rotate'], settings(`x:${randomBytes(32).toString('base64')}`));
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /secrets are encrypted with master key/);
}
