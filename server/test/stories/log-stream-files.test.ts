// Files of log streams in an S3-compatible store: when they are written, their names and content, and how those of the audit log
// prove themselves.

import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { insertCalls } from '../../src/features/activity/analytics/store.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { makeLogStream } from '../support/make/make-log-stream.ts';
import { newCall } from '../support/make/new-call.ts';
import { s3Credentials, startS3Store } from '../support/peers/s3-store.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const store = await startS3Store();
after(() => store.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: store.address });
const { api, app } = server;

async function makeFiles(project_id: string, fields: object = {}) {
  const bucket = `bucket-${project_id.slice(4, 20).toLowerCase()}`;
  const region = 'eu-central-1';
  const body = { kind: 's3', endpoint: store.url, bucket, region, ...s3Credentials, flush_seconds: 5, ...fields };
  const stream = await makeLogStream(server, store, project_id, body);
  return { ...stream, paths: () => [...store.objects.keys()].filter((path) => path.startsWith(`/${bucket}/`)), bucket };
}

async function record(project_id: string, count: number, fields: object = {}): Promise<string[]> {
  const calls = Array.from({ length: count }, () => newCall(project_id, { created_at: app.now(), ...fields }));
  for (let i = 0; i < count; i += 1000) await insertCalls(app.pool, calls.slice(i, i + 1000));
  return calls.map(({ id }) => id);
}

async function pass(seconds: number): Promise<void> {
  server.advance(seconds * 1000);
  await server.runJobs();
}

const ids = (lines: any[]) => lines.map(({ id }) => id);

test('a file of calls is signed, named by what is in it, and has one entry of the log in each line', async () => {
  const { id } = await makeProject(server);
  const stream = await makeFiles(id, { prefix: 'logs/toolgate' });
  const made = await record(id, 3);
  await pass(6);
  const [path = '', ...more] = stream.paths();
  assert.equal(more.length, 0);
  const lines = store.lines(path);
  assert.deepEqual(ids(lines).sort(), made.sort());
  assert.equal(path, `/${stream.bucket}/logs/toolgate/${id}/tool_calls/${lines[0].id}-${lines[2].id}.ndjson.gz`);
  const log = expectResponse(await api('GET', `/projects/${id}/tool-calls`, { key: ROOT_KEY }), 200).data;
  assert.deepEqual(
    new Set(lines.map((line) => JSON.stringify(line))),
    new Set(log.map((entry: object) => JSON.stringify(entry))),
  );
});

test('a file is written when flush_seconds have passed, and none without entries', async () => {
  const { id } = await makeProject(server);
  const stream = await makeFiles(id, { flush_seconds: 600 });
  await record(id, 1);
  for (let minute = 0; minute < 9; minute += 1) await pass(60);
  assert.deepEqual(stream.paths(), []);
  assert.ok(
    expectResponse(await api('GET', `/projects/${id}/log-streams/${stream.id}`, { key: ROOT_KEY }), 200).lag_seconds >=
      530,
  );
  for (let minute = 0; minute < 2; minute += 1) await pass(60);
  assert.equal(stream.paths().length, 1);
  for (let minute = 0; minute < 11; minute += 1) await pass(60);
  assert.equal(stream.paths().length, 1);
  await record(id, 1);
  for (let minute = 0; minute < 11; minute += 1) await pass(60);
  assert.equal(stream.paths().length, 2);
});

test('a file is written before its time when 16 MB wait, and has no more than that', async () => {
  const { id } = await makeProject(server);
  const stream = await makeFiles(id, { flush_seconds: 3600 });
  const made = await record(id, 20_000, { client_name: 'x'.repeat(500) });
  await pass(60);
  const paths = stream.paths();
  assert.equal(paths.length, 1);
  const text = gunzipSync(store.objects.get(paths[0] as string) as Buffer);
  assert.ok(text.length > 15 * 1024 * 1024 && text.length <= 16 * 1024 * 1024, `${text.length} bytes`);
  await pass(3600);
  const all = stream.paths().flatMap((path) => ids(store.lines(path)));
  assert.equal(all.length, made.length);
  assert.equal(all.sort().join(), made.sort().join());
});

test('a store that refuses gets the same entries again, and its error is shown', async () => {
  const { id } = await makeProject(server);
  const stream = await makeFiles(id);
  const made = await record(id, 2);
  store.refuse(503);
  await pass(6);
  const { last_error } = expectResponse(
    await api('GET', `/projects/${id}/log-streams/${stream.id}`, { key: ROOT_KEY }),
    200,
  );
  assert.deepEqual([last_error.code, last_error.message], ['status', 'The receiver returned 503 (SlowDown).']);
  store.refuse(null);
  await pass(60);
  assert.deepEqual(
    stream
      .paths()
      .flatMap((path) => ids(store.lines(path)))
      .sort(),
    made.sort(),
  );
});

function payloadOf(signature: string, keys: any[]): any {
  const [header = '', payload = '', bytes = ''] = signature.split('.');
  const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
  assert.equal(alg, 'ES256');
  const key = createPublicKey({ key: keys.find((each) => each.kid === kid), format: 'jwk' });
  const content = Buffer.from(`${header}.${payload}`);
  assert.ok(verify('sha256', content, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(bytes, 'base64url')));
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

test('a file of audit entries ends with the signed head of the chain, and the next begins where it ends', async () => {
  const { id } = await makeProject(server);
  const stream = await makeFiles(id, { source: 'audit_log' });
  await makeKey(server, id);
  await pass(6);
  await makeKey(server, id);
  await pass(6);
  const { keys } = expectResponse(await api('GET', '/audit-keys', {}), 200);
  const files = stream.paths().map((path) => ({ path, lines: store.lines(path) }));
  assert.equal(files.length, 2);
  let after_seq: number | undefined;
  for (const { path, lines } of files) {
    const { signature, ...head } = lines.pop();
    assert.deepEqual(payloadOf(signature, keys), head);
    assert.deepEqual([head.object, head.project_id, head.log_stream_id], ['audit_head', id, stream.id]);
    assert.deepEqual([head.entries, head.first_id, head.last_id], [lines.length, lines[0].id, lines.at(-1).id]);
    assert.ok(head.seq >= lines.at(-1).seq && lines.every(({ seq }) => seq > head.after_seq));
    if (after_seq !== undefined) assert.equal(head.after_seq, after_seq);
    after_seq = lines.at(-1).seq;
    const text = gunzipSync(store.objects.get(path) as Buffer).toString();
    const before = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    assert.equal(createHash('sha256').update(before).digest('hex'), head.sha256);
    const chain = await app.database.selectFrom('audit_entries').select('hash').where('seq', '=', head.seq).execute();
    assert.ok(chain.some(({ hash }) => hash?.toString('hex') === head.hash));
  }
});

test('nothing vouches for a chain that was changed in the database', async () => {
  const { id } = await makeProject(server);
  const stream = await makeFiles(id, { source: 'audit_log' });
  await makeKey(server, id);
  await pass(3); // its entry is bound
  const { organization_id } = await app.database
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { rows } = await app.pool.query('select hash from audit_chains where organization_id = $1', [organization_id]);
  await app.pool.query('update audit_chains set hash = sha256(hash) where organization_id = $1', [organization_id]);
  await pass(6);
  await app.pool.query('update audit_chains set hash = $2 where organization_id = $1', [organization_id, rows[0].hash]);
  assert.deepEqual(stream.paths(), []);
  const read = expectResponse(await api('GET', `/projects/${id}/log-streams/${stream.id}`, { key: ROOT_KEY }), 200);
  assert.equal(read.last_error.code, 'chain');
  await pass(60);
  assert.equal(stream.paths().length, 1);
});
