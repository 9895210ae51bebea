import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { blockedAt, makePrivate, openFolder, placeFor, socketFolder } from './embedded-folder.ts';

const notRunning = async () => false;
const stranger = { uid: 65534, gid: 65534 };
let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'toolgate-test-'));
  await chmod(parent, 0o755);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

test('the password is made once, for our eyes only, also when two servers start at once', async () => {
  const data_dir = join(parent, 'data');
  const opened = await Promise.all([openFolder(data_dir, notRunning), openFolder(data_dir, notRunning)]);
  const again = await openFolder(data_dir, notRunning);
  assert.match(again.password, /^[0-9a-f]{64}$/);
  assert.deepEqual(
    opened.map((folder) => folder.password),
    [again.password, again.password],
  );
  for (const { account } of opened) assert.deepEqual(account, again.account);
  assert.equal((await stat(join(data_dir, 'postgres.password'))).mode & 0o777, 0o600);
  assert.equal((await stat(data_dir)).mode & 0o007, 0);
});

test('a folder closed to the account of PostgreSQL is found wherever it lies on the way', async () => {
  const inner = join(parent, 'closed', 'data');
  await mkdir(inner, { recursive: true });
  assert.equal(await blockedAt(stranger, inner), undefined);
  await chmod(join(parent, 'closed'), 0o700);
  assert.equal(await blockedAt({ uid: 65533, gid: 65533 }, inner), join(parent, 'closed'));
});

test('only a private folder of ours is taken for the socket, never one that somebody else may have laid out', async () => {
  const folder = join(parent, 'socket');
  await makePrivate(folder, undefined);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  await makePrivate(folder, undefined);

  await symlink(folder, join(parent, 'link'));
  await assert.rejects(makePrivate(join(parent, 'link'), undefined), /not a private folder of ours/);
  await chmod(folder, 0o755);
  await assert.rejects(makePrivate(folder, undefined), /not a private folder of ours/);
});

test('the socket lies in the cluster, unless that path is too long for one', () => {
  const data_dir = `/${'ü'.repeat(60)}`;
  assert.equal(socketFolder({ data_dir: '/data', cluster: '/data/postgres', account: undefined }), '/data/postgres');
  const folder = socketFolder({ data_dir, cluster: `${data_dir}/postgres`, account: undefined });
  assert.ok(folder.startsWith(tmpdir()));
});

test('what PostgreSQL must reach by its path lies outside of a closed folder', async () => {
  const data_dir = join(parent, 'closed', 'data');
  await mkdir(data_dir, { recursive: true });
  const account = { uid: 65533, gid: 65533 };
  assert.equal(await placeFor('programs', { data_dir, account }), join(data_dir, 'programs'));
  await chmod(join(parent, 'closed'), 0o700);
  assert.ok(!(await placeFor('programs', { data_dir, account })).startsWith(parent));
});
