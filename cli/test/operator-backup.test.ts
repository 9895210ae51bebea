// toolgate backup and restore, on embedded databases and real servers.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { startEmbedded } from '../../server/src/database/embedded.ts';
import { expectResponse } from '../../server/test/support/make/make.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../../server/test/support/peers/write-authority-file.ts';
import { makeDataDir, type ServerProcess, startProcess } from '../../server/test/support/servers/start-process.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { runOnTerminal, runToolgate } from './run-toolgate.ts';
import { runProcess } from './toolgate-process.ts';

const customer = await startCustomer();
after(() => customer.close());
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address, NODE_EXTRA_CA_CERTS: writeAuthorityFile() };
const files = makeDataDir();
const file = join(files, 'toolgate.backup');
const awkward = 'quo"te \\ back, (comma)\nline {brace} \u2028 Zürich 東京';
const secret = 'opened-only-with-the-master-key';

const rootKeyOf = (data_dir: string) => readFileSync(join(data_dir, 'root.key'), 'utf8').trim();

async function callTool(server: ServerProcess, key: string, tool: { id: string; endpoint_path: string }) {
  const earlier = customer.at(tool.endpoint_path).length;
  expectResponse(await server.api('POST', `/custom-tools/${tool.id}/execute`, { key, body: { arguments: {} } }), 200);
  return customer.at(tool.endpoint_path).slice(earlier);
}

const first = await startProcess(environment);
const root = rootKeyOf(first.data_dir);
const project = expectResponse(
  await first.api('POST', '/projects', { key: root, body: { name: 'kept', plan: 'enterprise' } }),
  201,
);
const { key } = expectResponse(
  await first.api('POST', `/projects/${project.id}/api-keys`, {
    key: root,
    body: { name: 'kept', permissions: ['admin'] },
  }),
  201,
);
const tool = expectResponse(
  await first.api('POST', '/custom-tools', {
    key,
    body: {
      name: 'kept_tool',
      description: awkward,
      base_url: customer.url,
      endpoint_path: '/kept',
      input_schema: { type: 'object' },
      auth_strategy: 'bearer_token',
      encrypted_auth_secret: secret,
    },
  }),
  201,
);
await callTool(first, key, tool);
const calls = async (server: ServerProcess) =>
  expectResponse(await server.api('GET', `/projects/${project.id}/tool-calls`, { key }), 200).data;
await waitUntil(async () => (await calls(first)).length === 1, 60_000, 'the call is in the log');
const made = await runProcess(['backup', file, '--json'], { TOOLGATE_DATA_DIR: first.data_dir });

/** Rows of the stopped database in this folder. */
async function query(data_dir: string, statement: string): Promise<Record<string, unknown>[]> {
  const { connection, stop } = await startEmbedded({ data_dir, log: () => {} });
  const client = new pg.Client(connection);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
    await stop();
  }
}

/** A copy of the backup with another header. */
function withHeader(name: string, change: (header: any) => void): string {
  const bytes = readFileSync(file);
  const end = bytes.indexOf('\n');
  const header = JSON.parse(bytes.subarray(0, end).toString());
  change(header);
  const path = join(files, name);
  writeFileSync(path, Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]));
  return path;
}

test('a backup is made beside a running server, only its owner can read it, and no other file is left', async () => {
  assert.equal(made.code, 0, made.stderr);
  const { bytes, has_keys } = JSON.parse(made.stdout);
  assert.deepEqual([bytes, has_keys], [statSync(file).size, true]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(files), ['toolgate.backup']);
  expectResponse(await first.api('GET', '/projects', { key }), 200);
});

test('on a terminal a backup shows a progress bar', async () => {
  const copy = join(files, 'on-a-terminal');
  const made = await runOnTerminal(['backup', copy], { TOOLGATE_DATA_DIR: first.data_dir });
  assert.equal(made.code, 0, made.stdout);
  assert.match(made.stdout, /rows \[=+\] 100 %/);
});

test('an existing file is not replaced without --force', async () => {
  const before = readFileSync(file);
  const { code, stderr } = await runToolgate(['backup', file], { TOOLGATE_DATA_DIR: first.data_dir });
  assert.equal(code, 1);
  assert.match(stderr, /exists: choose another name, or add --force/);
  assert.ok(readFileSync(file).equals(before));
});

test('restored into a fresh folder, with a progress bar on a terminal, it has the same projects, keys, secrets, call log and audit chain', async () => {
  const data_dir = makeDataDir();
  const restored = await runOnTerminal(['restore', file], { TOOLGATE_DATA_DIR: data_dir });
  assert.equal(restored.code, 0, restored.stdout);
  assert.match(restored.stdout, /rows \[=+\] 100 %/);
  assert.match(restored.stdout, /org_\w+: /);

  const ids = await query(
    data_dir,
    `select distinct transaction_id::text, oldest_transaction_id::text from tool_calls`,
  );
  assert.deepEqual(ids, [{ transaction_id: '3', oldest_transaction_id: '3' }], 'ids of another cluster');

  const server = await startProcess(environment, data_dir);
  const found = expectResponse(await server.api('GET', '/projects', { key }), 200);
  assert.deepEqual(
    found.data.map(({ id }: { id: string }) => id),
    [project.id],
  );
  const same = expectResponse(await server.api('GET', `/custom-tools/${tool.id}`, { key }), 200);
  assert.deepEqual(same, expectResponse(await first.api('GET', `/custom-tools/${tool.id}`, { key }), 200));
  assert.equal(same.description, awkward);
  const [sent] = await callTool(server, key, tool);
  assert.equal(sent?.headers.authorization, `Bearer ${secret}`);
  await waitUntil(async () => (await calls(server)).length === 2, 60_000, 'both calls are in the log');
  expectResponse(await server.api('POST', '/projects', { key: root, body: { name: 'later' } }), 201);
  await server.stop();

  const verified = await runToolgate(['audit', 'verify'], { TOOLGATE_DATA_DIR: data_dir });
  assert.equal(verified.code, 0, verified.stderr);
});

test('a folder with a running server or with data is refused, and nothing in it changes', async () => {
  const settings = { TOOLGATE_DATA_DIR: first.data_dir };
  const running = await runToolgate(['restore', file, '--replace'], settings);
  assert.equal(running.code, 1);
  assert.match(running.stderr, /another toolgate server is already using/);
  expectResponse(await first.api('GET', '/projects', { key }), 200);

  const stopped = await startProcess();
  await stopped.stop();
  const { data_dir } = stopped;
  const keys = readFileSync(join(data_dir, 'master.key'), 'utf8');
  const { code, stderr } = await runToolgate(['restore', file], { TOOLGATE_DATA_DIR: data_dir });
  assert.equal(code, 1);
  assert.match(stderr, /--replace/);
  assert.equal(readFileSync(join(data_dir, 'master.key'), 'utf8'), keys);
});

test('with --replace the data and keys of the folder are replaced; a restore that fails puts them back', async () => {
  const other = await startProcess();
  const { data_dir } = other;
  const settings = { TOOLGATE_DATA_DIR: data_dir };
  const own = rootKeyOf(data_dir);
  expectResponse(await other.api('POST', '/projects', { key: own, body: { name: 'before' } }), 201);
  await other.stop();
  const names = () => query(data_dir, 'select name from projects');
  const keys = readFileSync(join(data_dir, 'master.key'), 'utf8');

  const incomplete = withHeader('incomplete', ({ tables }) => {
    tables.find(({ name }: { name: string }) => name === 'projects').rows += 1;
  });
  const failed = await runToolgate(['restore', incomplete, '--replace'], settings);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /rows of projects are missing/);
  assert.deepEqual(await names(), [{ name: 'before' }]);
  assert.equal(readFileSync(join(data_dir, 'master.key'), 'utf8'), keys);
  assert.deepEqual(await query(data_dir, `select nspname from pg_namespace where nspname like 'toolgate%'`), []);

  const replaced = await runToolgate(['restore', file, '--replace'], settings);
  assert.equal(replaced.code, 0, replaced.stderr);
  assert.deepEqual(await names(), [{ name: 'kept' }]);
  assert.equal(rootKeyOf(data_dir), root);
  assert.equal(statSync(join(data_dir, 'master.key')).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(data_dir, 'master.key.before-restore'), 'utf8'), keys);
});

test('a damaged file, and one of a newer version, are refused before anything is created', async () => {
  const bytes = readFileSync(file);
  const damaged = Buffer.from(bytes);
  const at = bytes.length - 40;
  damaged[at] = (damaged[at] ?? 0) ^ 0xff;
  const cases: [string, Buffer | null, RegExp][] = [
    ['truncated', bytes.subarray(0, bytes.length - 100), /is damaged/],
    ['changed', damaged, /is damaged/],
    ['other', Buffer.from('no backup at all\n'), /is not a backup created by toolgate/],
    ['newer', null, /newer toolgate/],
  ];
  withHeader('newer', ({ migrations }) => migrations.push({ name: '9999_later.sql', checksum: 'x' }));
  for (const [name, content, problem] of cases) {
    if (content) writeFileSync(join(files, name), content);
    const data_dir = join(files, `target-of-${name}`);
    const { code, stderr, stdout } = await runToolgate(['restore', join(files, name)], { TOOLGATE_DATA_DIR: data_dir });
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, problem);
    assert.ok(!existsSync(data_dir), 'the folder was created');
  }
});

test('a backup without keys holds none, and is restored only where the master key is', async () => {
  // The server is stopped first: a backup needs none.
  const text = readFileSync(join(first.data_dir, 'master.key'), 'utf8').trim();
  await first.stop();
  const bare = join(files, 'bare');
  const ran = await runToolgate(['backup', bare, '--without-keys'], { TOOLGATE_DATA_DIR: first.data_dir });
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(ran.stdout, `${bare}\n`);
  const header = readFileSync(bare, 'latin1').split('\n')[0] ?? '';
  assert.ok(!header.includes(text.split(':')[1] ?? '') && !header.includes(root), 'the backup holds a key');

  const data_dir = makeDataDir();
  const without = await runToolgate(['restore', bare], { TOOLGATE_DATA_DIR: data_dir });
  assert.equal(without.code, 1);
  assert.match(without.stderr, /contains no master key/);
  const wrong = { TOOLGATE_DATA_DIR: data_dir, TOOLGATE_MASTER_KEYS: `other:${Buffer.alloc(32).toString('base64')}` };
  assert.match((await runToolgate(['restore', bare], wrong)).stderr, /are encrypted with master key/);
  assert.deepEqual(readdirSync(data_dir), []);
  writeFileSync(join(data_dir, 'master.key'), text);
  const restored = await runToolgate(['restore', bare], { TOOLGATE_DATA_DIR: data_dir });
  assert.equal(restored.code, 0, restored.stderr);
});
