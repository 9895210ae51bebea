// Run as root, these test the change of the user id on a real PostgreSQL; otherwise, that PostgreSQL runs as the current user.

import assert from 'node:assert/strict';
import { chmod, link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { startEmbedded } from './embedded.ts';
import { changeOwner, chooseAccount } from './embedded-account.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
const ROOT = { uid: 0, gid: 0 };
const us = process.getuid?.() ?? 0;
let parent: string;
let data_dir: string;
let cluster: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'toolgate-test-'));
  await chmod(parent, 0o755);
  data_dir = join(parent, 'data');
  cluster = join(data_dir, 'postgres');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** Starts PostgreSQL and runs the statement. Returns its first value and the user id of the process. */
async function runStatement(statement: string): Promise<{ value: unknown; uid: number }> {
  const { connection, stop } = await startEmbedded({ data_dir, log: () => {} });
  const client = new pg.Client(connection);
  try {
    await client.connect();
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return { value: rows[0]?.[0], uid: (await stat(join(cluster, 'postmaster.pid'))).uid };
  } finally {
    await client.end();
    await stop();
  }
}

async function ownersBelow(folder: string): Promise<Set<number>> {
  const paths = [folder, ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))];
  return new Set(await Promise.all(paths.map(async (path) => (await lstat(path)).uid)));
}

test('PostgreSQL runs as neither root nor nobody, with the same user id every time, in a folder it owns', async () => {
  const first = await runStatement('create table kept as select 7 as number');
  const again = await runStatement('select number from kept');
  assert.equal(again.value, 7);
  assert.equal(again.uid, first.uid);
  if (us === ROOT.uid) {
    assert.ok(first.uid >= 60_706 && first.uid <= 61_183, `it runs as ${first.uid}`);
    assert.equal((await readFile(join(data_dir, 'postgres.uid'), 'utf8')).trim(), String(first.uid));
  } else {
    assert.equal(first.uid, us);
  }
  assert.deepEqual(await ownersBelow(cluster), new Set([first.uid]));
  assert.equal((await stat(cluster)).mode & 0o777, 0o700);
});

for (const [name, former] of us === ROOT.uid
  ? ([
      ['nobody', NOBODY],
      ['root', ROOT],
    ] as const)
  : []) {
  test(`a cluster that belongs to ${name} gets an owner of its own and keeps its data`, async () => {
    await runStatement('create table kept as select 7 as number');
    await rm(join(data_dir, 'postgres.uid'));
    await changeOwner(cluster, former);
    await chmod(cluster, 0o750);
    const { value, uid } = await runStatement('select number from kept');
    assert.equal(value, 7);
    assert.ok(uid !== NOBODY.uid && uid !== ROOT.uid);
    assert.deepEqual(await ownersBelow(cluster), new Set([uid]));
    assert.equal((await stat(cluster)).mode & 0o777, 0o700);
  });
}

test('a cluster with a running PostgreSQL keeps its owner', async () => {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  if (us === ROOT.uid) await changeOwner(cluster, NOBODY);
  const account = await chooseAccount({ data_dir, cluster }, async () => true);
  assert.deepEqual(account, us === ROOT.uid ? NOBODY : undefined);
});

test('changing the owner follows no symbolic link and refuses a file with a hard link elsewhere', async () => {
  await mkdir(cluster, { recursive: true });
  const outside = join(parent, 'outside');
  await writeFile(outside, '');
  await symlink(outside, join(cluster, 'link'));
  const account = us === ROOT.uid ? { uid: 60_800, gid: 60_800 } : { uid: us, gid: process.getgid?.() ?? 0 };
  await changeOwner(cluster, account);
  assert.equal((await lstat(join(cluster, 'link'))).uid, account.uid);
  assert.equal((await stat(outside)).uid, us);
  await link(outside, join(cluster, 'second'));
  await assert.rejects(changeOwner(cluster, account), /has a second hard link elsewhere/);
  assert.equal((await stat(outside)).uid, us);
});
