// Real PostgreSQL processes on temporary folders. Run as root, they also prove the change of account.

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
import { type Embedded, startEmbedded } from './embedded.ts';
import { findPostmaster, isPostmaster } from './embedded-postmaster.ts';

const IN_USE = /another toolgate server is already using .*; stop it first or set TOOLGATE_DATA_DIR/;
const LOCKS_HELD = `select count(*)::int from pg_locks where locktype = 'advisory' and granted`;
const fixture = join(import.meta.dirname, '../../test/fixtures/hold-embedded.ts');

const endings = new WeakMap<TestContext, (() => unknown)[]>();

/** Undoes in reverse order: servers stop before their folder goes. */
function atEnd(t: TestContext, undo: () => unknown): void {
  const undos = endings.get(t);
  if (undos) return void undos.unshift(undo);
  endings.set(t, [undo]);
  t.after(async () => {
    for (const each of endings.get(t) ?? []) await each();
  });
}

async function makeFolder(t: TestContext, ...below: string[]): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'toolgate-test-'));
  await chmod(parent, 0o755);
  const data_dir = join(parent, ...below, 'data');
  atEnd(t, async () => {
    const left = await findPostmaster(join(data_dir, 'postgres'));
    if (left) process.kill(left.pid, 'SIGKILL');
    await rm(parent, { recursive: true, force: true, maxRetries: 10 });
    assert.equal(left, undefined, 'a PostgreSQL was left running');
  });
  return data_dir;
}

async function start(t: TestContext, data_dir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ data_dir, log: () => undefined });
  atEnd(t, () => embedded.stop());
  return embedded;
}

async function ask(connection: pg.ClientConfig, sql: string): Promise<unknown> {
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

type Told = { connection?: pg.ClientConfig; refusal?: string };

function startOther(t: TestContext, data_dir: string, env = {}): { child: ChildProcess; told: Promise<Told> } {
  const child = spawn(process.execPath, [fixture, data_dir], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(t, () => child.kill('SIGKILL'));
  const told = once(createInterface(child.stdout as NodeJS.ReadableStream), 'line').then(([line]) => JSON.parse(line));
  return { child, told };
}

async function killHard(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  // The whole group, as a container or a terminal would.
  process.kill(-(child.pid as number), 'SIGKILL');
  await exited;
}

test('an empty folder becomes a durable UTF-8 database that only its password opens, and the data outlives a restart', async (t) => {
  const data_dir = await makeFolder(t);
  const first = await start(t, data_dir);
  const settings = `select string_agg(name || '=' || setting, ' ' order by name) from pg_settings
    where name in ('fsync', 'data_checksums', 'listen_addresses', 'server_encoding', 'TimeZone')`;
  assert.equal(
    await ask(first.connection, settings),
    'TimeZone=UTC data_checksums=on fsync=on listen_addresses= server_encoding=UTF8',
  );
  await assert.rejects(ask({ ...first.connection, password: 'wrong' }, 'select 1'), { code: '28P01' });
  await ask(first.connection, `create table kept as select 'Grüße' as word`);
  await first.stop();
  await first.stop();

  const second = await start(t, data_dir);
  assert.equal(await ask(second.connection, 'select word from kept'), 'Grüße');
});

test('nothing of a statement reaches the log of PostgreSQL, not even of one that fails', async (t) => {
  const data_dir = await makeFolder(t);
  const { connection } = await start(t, data_dir);
  for (const sql of [`select 'planted'::int`, `select planted`, `do $$ begin raise exception 'planted'; end $$`]) {
    await assert.rejects(ask(connection, sql), /planted/);
  }
  await ask(connection, `do $$ begin raise warning 'planted'; end $$`);
  const log = await readFile(join(data_dir, 'postgres.log'), 'utf8');
  assert.match(log, /ready to accept connections/);
  assert.doesNotMatch(log, /planted/);
});

test('the PostgreSQL of a server killed with -9 is adopted with all its data, whatever the environment says', async (t) => {
  const data_dir = await makeFolder(t);
  const hostile = {
    PGSSLMODE: 'require',
    PGOPTIONS: '-c nonsense=1',
    PGDATA: '/nowhere',
    PGPORT: '1',
    LC_ALL: 'xx_XX',
  };
  const other = startOther(t, data_dir, hostile);
  const { connection, refusal } = await other.told;
  assert.ok(connection, refusal);
  await ask(connection, 'create table kept as select 7 as number');
  const started = await ask(connection, 'select pg_postmaster_start_time()::text');
  await killHard(other.child);

  const adopted = await start(t, data_dir);
  assert.equal(await ask(adopted.connection, 'select pg_postmaster_start_time()::text'), started);
  assert.equal(await ask(adopted.connection, 'select number from kept'), 7);
  const postmaster = await findPostmaster(join(data_dir, 'postgres'));
  await adopted.stop();
  assert.equal(await isPostmaster(postmaster?.pid ?? 0, join(data_dir, 'postgres')), false);
});

test('a second server on the same folder is refused and does not disturb the first', async (t) => {
  const data_dir = await makeFolder(t);
  const { connection } = await start(t, data_dir);
  await assert.rejects(startEmbedded({ data_dir, log: () => undefined }), IN_USE);
  assert.equal(await ask(connection, 'select 1'), 1);
});

test('of two servers that start at once on an empty folder exactly one gets it', async (t) => {
  const data_dir = await makeFolder(t);
  const both = [startOther(t, data_dir), startOther(t, data_dir)];
  const told = await Promise.all(both.map((each) => each.told));
  const winner = told.findIndex((each) => each.connection);
  assert.ok(winner >= 0, JSON.stringify(told));
  assert.match(told[1 - winner]?.refusal ?? 'not refused', IN_USE);

  await killHard(both[winner]?.child as ChildProcess);
  const next = await start(t, data_dir);
  assert.equal(await ask(next.connection, 'select 1'), 1);
});

test('a PostgreSQL that is killed or told to end comes back with its data, and the folder is taken again', async (t) => {
  const data_dir = await makeFolder(t);
  const { connection } = await start(t, data_dir);
  await ask(connection, 'create table kept as select 7 as number');
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGQUIT'] as const) {
    const before = await findPostmaster(join(data_dir, 'postgres'));
    process.kill(before?.pid as number, signal);
    await eventually(async () => {
      assert.notEqual((await findPostmaster(join(data_dir, 'postgres')))?.pid, before?.pid);
      assert.equal(await ask(connection, LOCKS_HELD), 1);
    });
    assert.equal(await ask(connection, 'select number from kept'), 7);
  }
  await ask(connection, `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory'`);
  await eventually(async () => assert.equal(await ask(connection, LOCKS_HELD), 1));
});

test('a stop in the middle of a recovery leaves no PostgreSQL behind', async (t) => {
  const data_dir = await makeFolder(t);
  const embedded = await start(t, data_dir);
  const before = await findPostmaster(join(data_dir, 'postgres'));
  process.kill(before?.pid as number, 'SIGKILL');
  await eventually(async () => assert.notEqual((await findPostmaster(join(data_dir, 'postgres')))?.pid, before?.pid));
  await embedded.stop();
  assert.equal(await findPostmaster(join(data_dir, 'postgres')), undefined);
});

test('lock files whose process number another program has now do not keep PostgreSQL from starting', async (t) => {
  const data_dir = await makeFolder(t);
  const first = await start(t, data_dir);
  await first.stop();
  const { uid, gid } = await stat(join(data_dir, 'postgres'));
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  const unrelated = spawn('sleep', ['60'], account);
  atEnd(t, () => unrelated.kill());
  await once(unrelated, 'spawn');
  const lock = `${unrelated.pid}\n${join(data_dir, 'postgres')}\n1700000000\n5432\n${first.connection.host}\n\n\nready   \n`;
  await writeFile(join(data_dir, 'postgres', 'postmaster.pid'), lock);
  await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), lock);

  const second = await start(t, data_dir);
  assert.equal(await ask(second.connection, 'select 1'), 1);
  assert.equal(unrelated.exitCode, null);
});

test('a PostgreSQL that is shutting down is waited for', async (t) => {
  const data_dir = await makeFolder(t);
  const other = startOther(t, data_dir);
  const { connection } = await other.told;
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  const before = await findPostmaster(join(data_dir, 'postgres'));
  await killHard(other.child);
  // A smart shutdown lasts until the last client leaves.
  process.kill(before?.pid as number, 'SIGTERM');
  await eventually(async () => assert.ok((await findPostmaster(join(data_dir, 'postgres')))?.is_stopping));

  const starting = start(t, data_dir);
  await client.end();
  const { connection: fresh } = await starting;
  assert.equal(await ask(fresh, 'select 1'), 1);
  assert.notEqual((await findPostmaster(join(data_dir, 'postgres')))?.pid, before?.pid);
});

test('a first start killed half-way leaves a folder that starts', async (t) => {
  const data_dir = await makeFolder(t);
  const other = startOther(t, data_dir);
  const drafts = async () => (await readdir(data_dir)).filter((name) => name.startsWith('postgres.new-'));
  await eventually(async () => {
    const [draft = 'none yet'] = await drafts();
    assert.ok((await readdir(join(data_dir, draft, 'cluster'))).includes('base'));
  });
  other.told.catch(() => undefined);
  await killHard(other.child);
  assert.equal((await readdir(data_dir)).includes('postgres'), false);

  const { connection } = await start(t, data_dir);
  assert.equal(await ask(connection, 'select 1'), 1);
  assert.deepEqual(await drafts(), []);
});

test('a folder whose path is too long for a socket works, with the socket in a private temporary folder', async (t) => {
  const data_dir = await makeFolder(t, 'a'.repeat(100));
  const { connection } = await start(t, data_dir);
  const socket = connection.host;
  atEnd(t, () => rm(socket, { recursive: true, force: true }));
  assert.ok(socket.startsWith(tmpdir()) && !socket.startsWith(data_dir), socket);
  assert.equal((await stat(socket)).mode & 0o777, 0o700);
  assert.equal(await ask(connection, 'select 1'), 1);
});

test('a data folder below a closed folder works, also a second time', async (t) => {
  const data_dir = await makeFolder(t, 'closed');
  await mkdir(data_dir, { recursive: true });
  await chmod(join(data_dir, '..'), 0o700);
  const first = await startEmbedded({ data_dir, log: () => undefined });
  assert.equal(await ask(first.connection, 'create table kept as select 7 as n'), undefined);
  await first.stop();
  const second = await start(t, data_dir);
  assert.equal(await ask(second.connection, 'select n from kept'), 7);
});

test('a cluster of another major version is refused with the way to move its data', async (t) => {
  const data_dir = await makeFolder(t);
  await mkdir(join(data_dir, 'postgres'), { recursive: true });
  await writeFile(join(data_dir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(
    startEmbedded({ data_dir, log: () => undefined }),
    /made by PostgreSQL 17, and this toolgate brings PostgreSQL 18.*pg_dump.*pg_restore.*DATABASE_URL/s,
  );
});
