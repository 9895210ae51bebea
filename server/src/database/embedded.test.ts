// Real PostgreSQL processes in temporary folders. Run as root, they also test the change of the user id.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Embedded, findRunning, startEmbedded } from './embedded.ts';
import { findPostmaster, isPostmaster } from './embedded-postmaster.ts';

const IN_USE = /another toolgate server is already using .*; stop it first or set TOOLGATE_DATA_DIR/;
const LOCKS_HELD = `select count(*)::int from pg_locks where locktype = 'advisory' and granted`;
const fixture = join(import.meta.dirname, '../../test/fixtures/hold-embedded.ts');

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/** Cleans up in reverse order: servers stop before their folder is removed. */
function cleanUpAfter(t: TestContext, cleanUp: () => unknown): void {
  const registered = cleanups.get(t);
  if (registered) return void registered.unshift(cleanUp);
  cleanups.set(t, [cleanUp]);
  t.after(async () => {
    for (const each of cleanups.get(t) ?? []) await each();
  });
}

async function makeFolder(t: TestContext, ...below: string[]): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'toolgate-test-'));
  await chmod(parent, 0o755);
  const data_dir = join(parent, ...below, 'data');
  cleanUpAfter(t, async () => {
    const left = await findPostmaster(join(data_dir, 'postgres'));
    if (left) process.kill(left.pid, 'SIGKILL');
    await rm(parent, { recursive: true, force: true, maxRetries: 10 });
    assert.equal(left, undefined, 'a PostgreSQL was left running');
  });
  return data_dir;
}

async function start(t: TestContext, data_dir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ data_dir, log: () => undefined });
  cleanUpAfter(t, () => embedded.stop());
  return embedded;
}

async function queryValue(connection: pg.ClientConfig, sql: string): Promise<unknown> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + 15_000; ; await pause(20)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

type Report = { connection?: pg.ClientConfig; refusal?: string };

function startOther(t: TestContext, data_dir: string, env = {}): { child: ChildProcess; report: Promise<Report> } {
  const child = spawn(process.execPath, [fixture, data_dir], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAfter(t, () => child.kill('SIGKILL'));
  const report = once(createInterface(child.stdout as NodeJS.ReadableStream), 'line').then(([line]) =>
    JSON.parse(line),
  );
  return { child, report };
}

async function killGroup(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  // The whole process group, as a container or a terminal would.
  process.kill(-(child.pid as number), 'SIGKILL');
  await exited;
}

test('an empty folder becomes a durable UTF-8 database that requires its password, and keeps its data after a restart', async (t) => {
  const data_dir = await makeFolder(t);
  const first = await start(t, data_dir);
  const settings = `select string_agg(name || '=' || setting, ' ' order by name) from pg_settings
    where name in ('fsync', 'data_checksums', 'listen_addresses', 'server_encoding', 'TimeZone')`;
  assert.equal(
    await queryValue(first.connection, settings),
    'TimeZone=UTC data_checksums=on fsync=on listen_addresses= server_encoding=UTF8',
  );
  await assert.rejects(queryValue({ ...first.connection, password: 'wrong' }, 'select 1'), { code: '28P01' });
  await queryValue(first.connection, `create table kept as select 'Grüße' as word`);
  await first.stop();
  await first.stop();

  const second = await start(t, data_dir);
  assert.equal(await queryValue(second.connection, 'select word from kept'), 'Grüße');
});

test('no part of a statement reaches the log of PostgreSQL, even if it fails', async (t) => {
  const data_dir = await makeFolder(t);
  const { connection } = await start(t, data_dir);
  for (const sql of [`select 'planted'::int`, `select planted`, `do $$ begin raise exception 'planted'; end $$`]) {
    await assert.rejects(queryValue(connection, sql), /planted/);
  }
  await queryValue(connection, `do $$ begin raise warning 'planted'; end $$`);
  const log = await readFile(join(data_dir, 'postgres.log'), 'utf8');
  assert.match(log, /ready to accept connections/);
  assert.doesNotMatch(log, /planted/);
});

test('the PostgreSQL of a server killed with -9 is adopted with all its data, whatever the environment variables', async (t) => {
  const data_dir = await makeFolder(t);
  const hostile = {
    PGSSLMODE: 'require',
    PGOPTIONS: '-c nonsense=1',
    PGDATA: '/nowhere',
    PGPORT: '1',
    LC_ALL: 'xx_XX',
  };
  const other = startOther(t, data_dir, hostile);
  const { connection, refusal } = await other.report;
  assert.ok(connection, refusal);
  await queryValue(connection, 'create table kept as select 7 as number');
  const started = await queryValue(connection, 'select pg_postmaster_start_time()::text');
  await killGroup(other.child);

  const adopted = await start(t, data_dir);
  assert.equal(await queryValue(adopted.connection, 'select pg_postmaster_start_time()::text'), started);
  assert.equal(await queryValue(adopted.connection, 'select number from kept'), 7);
  const postmaster = await findPostmaster(join(data_dir, 'postgres'));
  await adopted.stop();
  assert.equal(await isPostmaster(postmaster?.pid ?? 0, join(data_dir, 'postgres')), false);
});

test('a second server on the same folder is refused and does not disturb the first', async (t) => {
  const data_dir = await makeFolder(t);
  const { connection } = await start(t, data_dir);
  await assert.rejects(startEmbedded({ data_dir, log: () => undefined }), IN_USE);
  assert.equal(await queryValue(connection, 'select 1'), 1);
});

test('of two servers that start at the same time on an empty folder exactly one gets it', async (t) => {
  const data_dir = await makeFolder(t);
  const both = [startOther(t, data_dir), startOther(t, data_dir)];
  const report = await Promise.all(both.map((each) => each.report));
  const winner = report.findIndex((each) => each.connection);
  assert.ok(winner >= 0, JSON.stringify(report));
  assert.match(report[1 - winner]?.refusal ?? 'not refused', IN_USE);

  await killGroup(both[winner]?.child as ChildProcess);
  const next = await start(t, data_dir);
  assert.equal(await queryValue(next.connection, 'select 1'), 1);
});

test('a PostgreSQL that is killed or terminated is restarted with its data, and the folder is locked again', async (t) => {
  const data_dir = await makeFolder(t);
  const { connection } = await start(t, data_dir);
  await queryValue(connection, 'create table kept as select 7 as number');
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGQUIT'] as const) {
    const before = await findPostmaster(join(data_dir, 'postgres'));
    process.kill(before?.pid as number, signal);
    await eventually(async () => {
      assert.notEqual((await findPostmaster(join(data_dir, 'postgres')))?.pid, before?.pid);
      assert.equal(await queryValue(connection, LOCKS_HELD), 1);
    });
    assert.equal(await queryValue(connection, 'select number from kept'), 7);
  }
  await queryValue(connection, `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory'`);
  await eventually(async () => assert.equal(await queryValue(connection, LOCKS_HELD), 1));
});

test('a stop during a recovery leaves no PostgreSQL running', async (t) => {
  const data_dir = await makeFolder(t);
  const embedded = await start(t, data_dir);
  const before = await findPostmaster(join(data_dir, 'postgres'));
  process.kill(before?.pid as number, 'SIGKILL');
  await eventually(async () => assert.notEqual((await findPostmaster(join(data_dir, 'postgres')))?.pid, before?.pid));
  await embedded.stop();
  assert.equal(await findPostmaster(join(data_dir, 'postgres')), undefined);
});

test('lock files whose process id another program has now do not prevent the start of PostgreSQL', async (t) => {
  const data_dir = await makeFolder(t);
  const first = await start(t, data_dir);
  await first.stop();
  const { uid, gid } = await stat(join(data_dir, 'postgres'));
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  const unrelated = spawn('sleep', ['60'], account);
  cleanUpAfter(t, () => unrelated.kill());
  await once(unrelated, 'spawn');
  const lock = `${unrelated.pid}\n${join(data_dir, 'postgres')}\n1700000000\n5432\n${first.connection.host}\n\n\nready   \n`;
  await writeFile(join(data_dir, 'postgres', 'postmaster.pid'), lock);
  await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), lock);

  const second = await start(t, data_dir);
  assert.equal(await queryValue(second.connection, 'select 1'), 1);
  assert.equal(unrelated.exitCode, null);
});

test('a start waits for a PostgreSQL that is shutting down', async (t) => {
  const data_dir = await makeFolder(t);
  const other = startOther(t, data_dir);
  const { connection } = await other.report;
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  const before = await findPostmaster(join(data_dir, 'postgres'));
  await killGroup(other.child);
  // A smart shutdown lasts until the last client leaves.
  process.kill(before?.pid as number, 'SIGTERM');
  await eventually(async () => assert.ok((await findPostmaster(join(data_dir, 'postgres')))?.is_stopping));

  const starting = start(t, data_dir);
  await client.end();
  const { connection: fresh } = await starting;
  assert.equal(await queryValue(fresh, 'select 1'), 1);
  assert.notEqual((await findPostmaster(join(data_dir, 'postgres')))?.pid, before?.pid);
});

test('a folder whose first start was killed can be started', async (t) => {
  const data_dir = await makeFolder(t);
  const other = startOther(t, data_dir);
  const drafts = async () => (await readdir(data_dir)).filter((name) => name.startsWith('postgres.new-'));
  await eventually(async () => {
    const [draft = 'none yet'] = await drafts();
    assert.ok((await readdir(join(data_dir, draft, 'cluster'))).includes('base'));
  });
  other.report.catch(() => undefined);
  await killGroup(other.child);
  assert.equal((await readdir(data_dir)).includes('postgres'), false);

  const { connection } = await start(t, data_dir);
  assert.equal(await queryValue(connection, 'select 1'), 1);
  assert.deepEqual(await drafts(), []);
});

test('a folder whose path is too long for a socket works, with the socket in a private temporary folder', async (t) => {
  const data_dir = await makeFolder(t, 'a'.repeat(100));
  const { connection } = await start(t, data_dir);
  const socket = connection.host;
  cleanUpAfter(t, () => rm(socket, { recursive: true, force: true }));
  assert.ok(socket.startsWith(tmpdir()) && !socket.startsWith(data_dir), socket);
  assert.equal((await stat(socket)).mode & 0o777, 0o700);
  assert.equal(await queryValue(connection, 'select 1'), 1);
});

test('a data folder inside an inaccessible folder works, also a second time', async (t) => {
  const data_dir = await makeFolder(t, 'closed');
  await mkdir(data_dir, { recursive: true });
  await chmod(join(data_dir, '..'), 0o700);
  const first = await startEmbedded({ data_dir, log: () => undefined });
  assert.equal(await queryValue(first.connection, 'create table kept as select 7 as n'), undefined);
  await first.stop();
  const second = await start(t, data_dir);
  assert.equal(await queryValue(second.connection, 'select n from kept'), 7);
});

test('a cluster of another major version is refused with instructions to migrate its data', async (t) => {
  const data_dir = await makeFolder(t);
  await mkdir(join(data_dir, 'postgres'), { recursive: true });
  await writeFile(join(data_dir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(
    startEmbedded({ data_dir, log: () => undefined }),
    /created by PostgreSQL 17, but this toolgate includes PostgreSQL 18.*start the toolgate that created it.*pg_dump.*pg_restore.*DATABASE_URL/s,
  );
});

test('a command connects to the PostgreSQL of a running server, and does not start one', async (t) => {
  const data_dir = await makeFolder(t);
  const embedded = await start(t, data_dir);
  const running = await findRunning(data_dir);
  assert.deepEqual(running, embedded.connection);
  assert.equal(await queryValue(running as pg.ClientConfig, 'select 1'), 1);
  await embedded.stop();
  assert.equal(await findRunning(data_dir), undefined);
});
