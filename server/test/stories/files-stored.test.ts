// Files as they are stored: sealed parts, exact quotas, nothing left of what is deleted, expires or breaks off.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { MAX_FILE_BYTES, MAX_MEMBER_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import type { Project } from '../../src/access/caller.ts';
import type { FileOwner } from '../../src/features/files/files/owner.ts';
import { readFile } from '../../src/features/files/files/read-file.ts';
import { storeFile } from '../../src/features/files/files/store-file.ts';
import { findProject } from '../../src/features/projects/projects/find.ts';
import { expectResponse, makeProject, unique } from '../support/make/make.ts';
import { s3Credentials, startS3Store } from '../support/peers/s3-store.ts';
import { ROOT_KEY, startServer, type TestServer } from '../support/servers/start-server.ts';

const s3 = await startS3Store();
const servers = {
  database: await startServer(),
  s3: await startServer({
    TOOLGATE_EGRESS_ALLOW: '127.0.0.1',
    TOOLGATE_FILES_S3_ENDPOINT: s3.url,
    TOOLGATE_FILES_S3_BUCKET: 'files',
    TOOLGATE_FILES_S3_REGION: 'eu-central-1',
    TOOLGATE_FILES_S3_ACCESS_KEY_ID: s3Credentials.access_key_id,
    TOOLGATE_FILES_S3_SECRET_ACCESS_KEY: s3Credentials.secret_access_key,
  }),
};

async function makeOwner(server: TestServer): Promise<FileOwner> {
  const { id } = await makeProject(server);
  return { project: (await findProject(server.app, id)) as Project, owner_id: unique('key'), member_id: null };
}

async function* inPieces(bytes: Buffer, length = 50_000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function readAll(
  server: TestServer,
  file: Parameters<typeof readFile>[1],
  range?: Parameters<typeof readFile>[2],
) {
  const parts: Buffer[] = [];
  for await (const part of readFile(server.app, file, range)) parts.push(part);
  return Buffer.concat(parts);
}

const usageOf = async ({ app }: TestServer, subject: string) =>
  (await app.database.selectFrom('file_usage').select('bytes').where('subject', '=', subject).executeTakeFirst())
    ?.bytes ?? 0;

for (const [storage, server] of Object.entries(servers)) {
  test(`${storage}: a file is read as it was stored, whole or in part, and no part of it is stored readable`, async () => {
    const owner = await makeOwner(server);
    const bytes = Buffer.concat([randomBytes(600_000), Buffer.from('SECRET-OF-THE-FILE'.repeat(1000))]);
    const file = await storeFile(server.app, owner, {
      name: 'a.bin',
      content_type: 'text/plain',
      body: inPieces(bytes),
    });
    assert.equal(file.size, bytes.length);
    assert.equal(file.sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.ok((await readAll(server, file)).equals(bytes));
    const range = { first: 262_100, last: 524_400 };
    assert.ok((await readAll(server, file, range)).equals(bytes.subarray(range.first, range.last + 1)));
    const rows = await server.app.database
      .selectFrom('file_parts')
      .select('data')
      .where('file_id', '=', file.id)
      .execute();
    const objects = [...s3.objects].filter(([path]) => path.includes(file.id)).map(([, body]) => body);
    const parts = storage === 's3' ? objects : rows.map(({ data }) => data);
    assert.equal(parts.length, 3);
    for (const part of parts) assert.ok(!part.includes('SECRET-OF-THE-FILE'));
  });

  test(`${storage}: what is left of a deleted, expired or broken-off upload is removed, and its bytes count no more`, async () => {
    const owner = await makeOwner(server);
    const subject = owner.project.fairness_key;
    async function* broken() {
      yield randomBytes(300_000);
      throw new Error('the connection is gone');
    }
    await assert.rejects(storeFile(server.app, owner, { name: 'a', body: broken() }), /the connection is gone/);
    assert.equal(await usageOf(server, subject), 0);
    await storeFile(server.app, owner, { name: 'b', body: inPieces(randomBytes(300_000)) });
    assert.equal(await usageOf(server, subject), 300_000);
    server.advance(3_601_000);
    await server.runJobs();
    server.advance(120_000);
    await server.runJobs();
    assert.equal(await usageOf(server, subject), 0);
    const { database } = server.app;
    const left = await database.selectFrom('files').select('id').where('project_id', '=', owner.project.id).execute();
    assert.deepEqual(left, []);
    assert.deepEqual(await database.selectFrom('deleted_file_objects').select('file_id').execute(), []);
    if (storage === 's3') assert.equal(s3.objects.size, 0);
  });

  test(`${storage}: the files of a deleted project are purged with it, bytes and quota included`, async () => {
    const owner = await makeOwner(server);
    const { id: project_id, fairness_key } = owner.project;
    await storeFile(server.app, owner, { name: 'a', body: inPieces(randomBytes(300_000)) });
    const { database } = server.app;
    // One that lives longer than the project, as if an approval named it.
    const expires_at = new Date(server.app.now() + 90 * 86_400_000).toISOString();
    await database.updateTable('files').set({ expires_at }).where('project_id', '=', project_id).execute();
    expectResponse(await server.api('DELETE', `/projects/${project_id}`, { key: ROOT_KEY }), 204);
    // Recurring jobs run once for each time that passes.
    for (const days of [31, 1, 1]) {
      server.advance(days * 86_400_000);
      await server.runJobs();
    }
    const left = (table: 'files' | 'file_parts') =>
      database.selectFrom(table).select('project_id').where('project_id', '=', project_id).execute();
    assert.deepEqual([await left('files'), await left('file_parts')], [[], []]);
    assert.equal(await usageOf(server, fairness_key), 0);
    assert.equal(s3.objects.size, 0);
  });
}

test('objects that the store does not delete now are deleted later', async () => {
  const server = servers.s3;
  const owner = await makeOwner(server);
  const file = await storeFile(server.app, owner, { name: 'b', body: inPieces(randomBytes(10)) });
  await server.app.database.deleteFrom('files').where('id', '=', file.id).execute();
  s3.refuse(503);
  server.advance(31_000);
  await server.runJobs();
  s3.refuse(null);
  assert.equal(s3.objects.size, 1);
  server.advance(61_000);
  await server.runJobs();
  assert.equal(s3.objects.size, 0);
});

test('parallel uploads of a member never store more than its quota, and those that fit are stored', async () => {
  const server = servers.database;
  const owner = await makeOwner(server);
  const member_id = `mem_${'A'.repeat(22)}`;
  await server.app.database
    .insertInto('members')
    .values({ id: member_id, project_id: owner.project.id, external_id: 'a' })
    .execute();
  const size = 2_000_000;
  const store = (announced?: number) =>
    storeFile(server.app, { ...owner, member_id }, { name: 'a', size: announced, body: inPieces(Buffer.alloc(size)) });
  const { id: first } = await store();
  const rest = 10_000_000;
  const reserved_bytes = MAX_MEMBER_FILE_BYTES - rest;
  await server.app.database.updateTable('files').set({ reserved_bytes }).where('id', '=', first).execute();
  // Without sizes all of them may meet the end of the quota on their way.
  const unannounced = await Promise.allSettled(Array.from({ length: 6 }, () => store()));
  assert.ok((await usageOf(server, member_id)) <= MAX_MEMBER_FILE_BYTES);
  assert.ok(unannounced.some(({ status }) => status === 'rejected'));
  await server.app.database.deleteFrom('files').where('member_id', '=', member_id).where('id', '<>', first).execute();
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => store(size)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.deepEqual(
    refused.map(({ reason }) => [reason.code, reason.details.reason]),
    [['LIMIT_REACHED', 'member_files_full']],
  );
  assert.equal(await usageOf(server, member_id), MAX_MEMBER_FILE_BYTES);
});

test('a file of more than 25 MB is refused, whether its size is announced or not', async () => {
  const server = servers.database;
  const owner = await makeOwner(server);
  const body = () => inPieces(Buffer.alloc(MAX_FILE_BYTES + 1), 1_000_000);
  await assert.rejects(storeFile(server.app, owner, { name: 'a', body: body() }), { code: 'BODY_TOO_LARGE' });
  await assert.rejects(storeFile(server.app, owner, { name: 'a', size: MAX_FILE_BYTES + 1, body: body() }), {
    code: 'BODY_TOO_LARGE',
  });
  assert.equal(await usageOf(server, owner.project.fairness_key), 0);
});
