import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { chooseLocation, firstInaccessible, makePrivate, openFolder, socketFolder } from './embedded-folder.ts';

const notRunning = async () => false;
const otherAccount = { uid: 65534, gid: 65534 };
let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'toolgate-test-'));
  await chmod(parent, 0o755);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

test('the password is created once and readable only by us, also when two servers start at the same time', async () => {
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

test('a folder that the account of PostgreSQL cannot enter is found anywhere in the path', async () => {
  const inner = join(parent, 'closed', 'data');
  await mkdir(inner, { recursive: true });
  assert.equal(await firstInaccessible(otherAccount, inner), undefined);
  await chmod(join(parent, 'closed'), 0o700);
  assert.equal(await firstInaccessible({ uid: 65533, gid: 65533 }, inner), join(parent, 'closed'));
});

test('only a private folder of our own is used for the socket, never one that another user may have created', async () => {
  const folder = join(parent, 'socket');
  await makePrivate(folder, undefined);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  await makePrivate(folder, undefined);

  await symlink(folder, join(parent, 'link'));
  await assert.rejects(makePrivate(join(parent, 'link'), undefined), /not a private folder of toolgate/);
  await chmod(folder, 0o755);
  await assert.rejects(makePrivate(folder, undefined), /not a private folder of toolgate/);
});

test('the socket is in the cluster, unless that path is too long', () => {
  const data_dir = `/${'ü'.repeat(60)}`;
  assert.equal(socketFolder({ data_dir: '/data', cluster: '/data/postgres', account: undefined }), '/data/postgres');
  const folder = socketFolder({ data_dir, cluster: `${data_dir}/postgres`, account: undefined });
  assert.ok(folder.startsWith(tmpdir()));
});

test('files that PostgreSQL opens by path are outside of an inaccessible folder', async () => {
  const data_dir = join(parent, 'closed', 'data');
  await mkdir(data_dir, { recursive: true });
  const account = { uid: 65533, gid: 65533 };
  assert.equal(await chooseLocation('programs', { data_dir, account }), join(data_dir, 'programs'));
  await chmod(join(parent, 'closed'), 0o700);
  assert.ok(!(await chooseLocation('programs', { data_dir, account })).startsWith(parent));
});
