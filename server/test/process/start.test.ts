// Starting: the first output, a restart, and the error messages of a start that fails.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingRows } from '../../src/config/table.ts';
import { expectResponse } from '../support/make/make.ts';
import { launchProcess, makeDataDir, runProcess, startProcess } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

test('the first start prints where it listens, where the root key is and what to do next; a restart keeps everything', async () => {
  const first = await startProcess({}, makeDataDir());
  const { data_dir } = first;
  const root_file = join(data_dir, 'root.key');
  const curl = `curl -sS --fail-with-body ${first.url}/api/v1/projects`;
  for (const words of [
    `toolgate listens on ${first.url}`,
    root_file,
    `${first.url}/api/v1/mcp\n`,
    curl,
    '"plan":"pro"',
  ]) {
    await waitUntil(async () => first.output().includes(words), 5_000, `it prints ${words}`);
  }
  assert.equal(statSync(root_file).mode & 0o777, 0o600);
  const root = readFileSync(root_file, 'utf8').trim();
  assert.ok(!first.output().includes(root));

  const project = expectResponse(await first.api('POST', '/projects', { key: root, body: { name: 'First' } }), 201);
  const keys = `/projects/${project.id}/api-keys`;
  const body = { name: 'k', permissions: ['read'] };
  const headers = { 'idempotency-key': 'once' };
  const live = expectResponse(await first.api('POST', keys, { key: root, body, headers }), 201);
  const revoked = expectResponse(await first.api('POST', keys, { key: root, body }), 201);
  expectResponse(await first.api('POST', `${keys}/${revoked.id}/revoke`, { key: root }), 200);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });

  const second = await startProcess({}, data_dir);
  assert.equal(readFileSync(root_file, 'utf8').trim(), root);
  await waitUntil(async () => second.output().includes(`${second.url}/api/v1/mcp\n`), 60_000, 'it prints the MCP URL');
  expectResponse(await second.api('GET', `/projects/${project.id}`, { key: live.key }), 200);
  expectResponse(await second.api('GET', `/projects/${project.id}`, { key: revoked.key }), 401);
  assert.deepEqual(expectResponse(await second.api('POST', keys, { key: root, body, headers }), 201), live);
  assert.deepEqual(await second.stop('SIGINT'), { code: 0, signal: null });
  assert.ok(!second.output().includes('first project'), 'there is a project already');
});

test('a second server on the same data folder reports that and exits with 1; the first continues', async () => {
  const first = await startProcess();
  const second = await runProcess({ TOOLGATE_DATA_DIR: first.data_dir });
  assert.equal(second.code, 1);
  assert.match(second.output, /cannot start: another toolgate server is already using .*\n$/);
  assert.ok(second.output.includes(first.data_dir));
  expectResponse(await first.api('GET', '/readyz'), 200);
  const root = readFileSync(join(first.data_dir, 'root.key'), 'utf8').trim();
  expectResponse(await first.api('POST', '/projects', { key: root, body: { name: 'Still here' } }), 201);
});

test('invalid settings are reported together, and the process exits with 1', async () => {
  const { code, output } = await runProcess({
    PORT: 'many',
    DATABASE_URL: 'mysql://db',
    TOOLGATE_ROOT_KEY: 'short',
    TOOLGATE_DEFAULT_PLAN: 'gold',
    TOOLGATE_EGRESS_ALLOW: '10.0.0.5/8',
  });
  assert.equal(code, 1);
  for (const name of ['PORT', 'DATABASE_URL', 'TOOLGATE_ROOT_KEY', 'TOOLGATE_DEFAULT_PLAN', 'TOOLGATE_EGRESS_ALLOW']) {
    assert.ok(output.includes(`- ${name}`), output);
  }
  assert.doesNotMatch(output, /\n\s+at /);
});

test('a mistyped setting is reported with the right one, and the process exits with 1', async () => {
  const data_dir = makeDataDir();
  const { code, output } = await runProcess({ TOOLGATE_DATA_DIR: data_dir, TOOLGATE_LOGLEVEL: 'debug' });
  assert.equal(code, 1);
  assert.match(output, /- TOOLGATE_LOGLEVEL is not a setting: did you mean TOOLGATE_LOG_LEVEL\?\n$/);
  assert.deepEqual(readdirSync(data_dir), []);
});

/** Runs npm start with these arguments, and with a setting that would fail the start. */
const npmStart = (...given: string[]) =>
  spawnSync('npm', ['start', '--silent', '--', ...given], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
    env: { ...process.env, PORT: 'many' },
  });

test('"npm start -- --help" prints every setting with its default and exits with 0, whatever the environment', () => {
  const { status, stdout, stderr } = npmStart('--help');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Usage: npx toolgate start/);
  for (const [name] of settingRows) {
    assert.equal(stdout.split(`\n  ${name} (default: `).length, 2, `${name} in\n${stdout}`);
  }
  assert.ok(stdout.includes('\n  PORT (default: 3000)\n      The port to listen on\n'), stdout);
  assert.doesNotMatch(stdout, /`/);
});

for (const given of ['--prot=3001', 'serve']) {
  test(`"npm start -- ${given}" is refused with exit code 2`, () => {
    const { status, stdout, stderr } = npmStart(given);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.ok(stderr.includes(`'${given.split('=')[0]}'`), stderr);
    assert.match(stderr, /npx toolgate start --help/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
}

test('a port in use is reported in one line, before a store is created', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => taken.once('listening', listening));
  const { port } = taken.address() as { port: number };
  const data_dir = makeDataDir();
  const { code, output } = await runProcess({ TOOLGATE_DATA_DIR: data_dir, PORT: String(port) });
  taken.close();
  assert.equal(code, 1);
  assert.match(output, new RegExp(`cannot start: 127\\.0\\.0\\.1:${port} is already in use: set PORT or HOST`));
  assert.deepEqual(readdirSync(data_dir), []);
});

test('a data folder that cannot be written is refused in one sentence that says what to set', async () => {
  const { code, output } = await runProcess({ TOOLGATE_DATA_DIR: '/proc/x' });
  assert.equal(code, 1);
  assert.match(output, /^toolgate cannot start: the data folder \/proc\/x cannot be written \([A-Z]+\): set .+\n$/);
});

test('a signal ends a start that waits for the file system of its data folder', async () => {
  const folder = makeDataDir();
  // A network file system that does not answer.
  const hang = join(folder, 'hang.cjs');
  writeFileSync(
    hang,
    `const files = require('node:fs/promises');
     files.mkdir = () => new Promise(() => { console.log('mkdir waits'); setInterval(() => {}, 1000); });
     require('node:module').syncBuiltinESMExports();`,
  );
  const { child, output, ended } = await launchProcess({ NODE_OPTIONS: `--require ${hang}` });
  await waitUntil(async () => output().includes('mkdir waits'), 60_000, 'it waits');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('a start that fails after PostgreSQL was started stops it', async () => {
  const first = await startProcess();
  const { data_dir } = first;
  assert.deepEqual(await first.stop(), { code: 0, signal: null });
  const expectRefusal = async (words: RegExp) => {
    const { code, output } = await runProcess({ TOOLGATE_DATA_DIR: data_dir });
    assert.equal(code, 1);
    assert.match(output, words);
    assert.doesNotMatch(output, /\n\s+at /);
    assert.ok(!existsSync(join(data_dir, 'postgres', 'postmaster.pid')), 'PostgreSQL was left running');
  };

  const password_file = join(data_dir, 'postgres.password');
  const password = readFileSync(password_file, 'utf8');
  writeFileSync(password_file, `${'0'.repeat(64)}\n`);
  await expectRefusal(/toolgate cannot start: .*postgres\.password is not the cluster's password\n$/);
  writeFileSync(password_file, password);
  const root_file = join(data_dir, 'root.key');
  const root = readFileSync(root_file, 'utf8');
  writeFileSync(root_file, 'short\n');
  await expectRefusal(/toolgate cannot start: .*root\.key.*\n$/);
  writeFileSync(root_file, root);
  assert.deepEqual(await (await startProcess({}, data_dir)).stop(), { code: 0, signal: null });
});

test('an external PostgreSQL that cannot be reached is reported in one line without its password', async () => {
  const { code, output } = await runProcess({
    TOOLGATE_DATA_DIR: makeDataDir(),
    DATABASE_URL: 'postgres://toolgate:hunter2hunter2@127.0.0.1:1/toolgate',
    TOOLGATE_MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  });
  assert.equal(code, 1);
  assert.match(output, /cannot start: the database cannot be reached: .*ECONNREFUSED.*\n$/);
  assert.ok(!output.includes('hunter2'));
});

test('with an old Node the error says which one to use', () => {
  const guard = JSON.stringify(join(import.meta.dirname, '../../../require-node-24.cjs'));
  const underVersion = (node: string) =>
    spawnSync(
      process.execPath,
      ['-e', `Object.defineProperty(process, 'versions', { value: { node: '${node}' } }); require(${guard})`],
      { encoding: 'utf8' },
    );
  const old = underVersion('20.20.2');
  assert.equal(old.status, 1);
  assert.match(old.stderr, /toolgate needs Node 24 or newer/);
  assert.match(old.stderr, /npm ci && npm start/);
  assert.equal(underVersion('24.0.0').status, 0);
  assert.equal(underVersion('26.1.0').status, 0);
});

test('the compile cache is in node_modules, where only its owner can write', () => {
  const root = join(import.meta.dirname, '../../..');
  const print = "console.log(require('node:module').getCompileCacheDir())";
  const { stdout } = spawnSync(process.execPath, ['--require', './require-node-24.cjs', '-e', print], {
    cwd: root,
    encoding: 'utf8',
    env: {},
  });
  const folder = stdout.trim();
  assert.ok(folder.startsWith(join(root, 'node_modules', '.cache', 'toolgate')), folder);
  assert.equal(statSync(folder).mode & 0o022, 0);
});
