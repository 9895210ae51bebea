// Log streams as a resource: who may manage them, what each kind takes, what is shown, and the test that shows every step.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { expectResponse, makeProject, makeTenant } from '../support/make/make.ts';
import { batchesAt, makeLogStream } from '../support/make/make-log-stream.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { s3Credentials, startS3Store } from '../support/peers/s3-store.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const receiver = await startCustomer();
const store = await startS3Store();
const untrusted = await startCustomer({ trusted: false });
after(() => Promise.all([receiver.close(), store.close(), untrusted.close()]));
const server = await startServer({
  TOOLGATE_EGRESS_ALLOW: [receiver.address, store.address, untrusted.address].join(','),
});
const { api } = server;

const streams = (project_id: string, rest = '') => `/projects/${project_id}/log-streams${rest}`;
const https = (fields: object = {}) => ({
  kind: 'https',
  source: 'tool_calls',
  endpoint: `${receiver.url}/logs`,
  ...fields,
});
const s3 = (fields: object = {}) => ({
  kind: 's3',
  source: 'audit_log',
  endpoint: store.url,
  bucket: 'example-logs',
  region: 'eu-central-1',
  ...s3Credentials,
  ...fields,
});

test('a log stream of the kind https is created with its defaults, and its secret is shown once', async () => {
  const tenant = await makeTenant(server);
  const response = await api('POST', streams(tenant.id), { key: tenant.keys.admin, body: https() });
  const { secret, ...stream } = expectResponse(response, 201);
  assert.match(secret, /^whsec_/);
  assert.match(stream.id, /^str_[0-9A-Za-z]{22}$/);
  assert.deepEqual(stream, {
    id: stream.id,
    object: 'log_stream',
    project_id: tenant.id,
    name: 'tool_calls to https',
    kind: 'https',
    source: 'tool_calls',
    endpoint: `${receiver.url}/logs`,
    header_names: [],
    bucket: null,
    region: null,
    prefix: null,
    access_key_id: null,
    certificate_id: null,
    flush_seconds: 5,
    is_enabled: true,
    disabled_reason: null,
    lag_seconds: 0,
    failing_since: null,
    previous_secret_ends_at: null,
    last_error: null,
    last_sent_at: null,
    last_entry_id: null,
    created_at: stream.created_at,
    created_by: stream.created_by,
    updated_at: stream.updated_at,
  });
  const read = await api('GET', streams(tenant.id, `/${stream.id}`), { key: tenant.keys.admin });
  assert.deepEqual(expectResponse(read, 200), stream);
  const listed = expectResponse(await api('GET', streams(tenant.id), { key: tenant.keys.admin }), 200);
  assert.deepEqual(listed.data, [stream]);
});

test('a stream to a bucket has its own defaults, and its credentials are never shown or stored readable', async () => {
  const tenant = await makeTenant(server);
  const headers = { Authorization: 'Bearer of-the-collector' };
  const made = [
    await makeLogStream(server, receiver, tenant.id, s3({ endpoint: undefined })),
    await makeLogStream(server, receiver, tenant.id, { kind: 'otlp_http', headers }),
  ];
  const [bucket, collector] = made as [any, any];
  assert.equal(bucket.endpoint, 'https://s3.eu-central-1.amazonaws.com');
  assert.deepEqual([bucket.flush_seconds, bucket.prefix, bucket.secret], [3600, '', null]);
  assert.deepEqual([collector.header_names, collector.secret], [['Authorization'], null]);
  const audit = await api('GET', `/projects/${tenant.id}/audit-log`, { key: tenant.keys.admin });
  const rows = await server.app.pool.query('select * from log_streams where project_id = $1', [tenant.id]);
  const everything = JSON.stringify([made, audit.body, rows.rows]);
  assert.match(everything, /log_stream\.created/);
  assert.doesNotMatch(everything, /of-the-collector|secret\/of\+the=tests/);
});

test('only admin may read and manage log streams', async () => {
  const tenant = await makeTenant(server);
  const { id } = await makeLogStream(server, receiver, tenant.id);
  for (const key of [tenant.keys.read, tenant.keys.write, tenant.keys.webhook]) {
    for (const [method, path, body] of [
      ['POST', streams(tenant.id), https()],
      ['GET', streams(tenant.id)],
      ['GET', streams(tenant.id, `/${id}`)],
      ['PATCH', streams(tenant.id, `/${id}`), { is_enabled: false }],
      ['DELETE', streams(tenant.id, `/${id}`)],
      ['POST', streams(tenant.id, `/${id}/test`)],
    ] as [string, string, object?][])
      assert.equal((await api(method, path, { key, ...(body && { body }) })).status, 403, `${method} ${path}`);
  }
  const other = await makeTenant(server);
  const foreign = await api('GET', streams(other.id, `/${id}`), { key: other.keys.admin });
  assert.equal(foreign.status, 404);
});

const wrong: [string, object, string][] = [
  ['an unknown kind', https({ kind: 'kafka' }), 'kind'],
  ['an unknown source', https({ source: 'events' }), 'source'],
  ['no endpoint', https({ endpoint: undefined }), 'endpoint'],
  ['plain HTTP', https({ endpoint: 'http://example.com/' }), 'endpoint'],
  ['a private address', https({ endpoint: 'https://10.0.0.1/' }), 'endpoint'],
  ['an unknown field', https({ enabled: true }), 'enabled'],
  ['a bucket for https', https({ bucket: 'logs' }), 'bucket'],
  ['headers for a bucket', s3({ headers: { A: 'b' } }), 'headers'],
  ['no bucket', s3({ bucket: undefined }), 'bucket'],
  ['no access key', s3({ access_key_id: undefined }), 'access_key_id'],
  ['no secret of it', s3({ secret_access_key: undefined }), 'secret_access_key'],
  ['a secret with a line break', s3({ secret_access_key: 'a\nb' }), 'secret_access_key'],
  ['a bucket with a slash', s3({ bucket: 'a/b' }), 'bucket'],
  ['a prefix that leaves its folder', s3({ prefix: 'a/../b' }), 'prefix'],
  ['a prefix with NUL', s3({ prefix: 'a\0' }), 'prefix'],
  ['a query for a bucket', s3({ endpoint: 'https://example.com/?a=b' }), 'endpoint'],
  ['too short a pause', https({ flush_seconds: 4 }), 'flush_seconds'],
  ['too long a pause', https({ flush_seconds: 3601 }), 'flush_seconds'],
  ['a header of the service', https({ headers: { 'webhook-id': 'x' } }), 'headers.webhook-id'],
  ['a lone surrogate in the name', https({ name: '\ud800' }), 'name'],
];
for (const [what, body, field] of wrong) {
  test(`a log stream with ${what} is refused with 422 that names ${field}`, async () => {
    const { id } = await makeProject(server);
    const { status, body: response } = await api('POST', streams(id), { key: ROOT_KEY, body });
    assert.deepEqual([status, response.error.details.field], [422, field]);
    assert.deepEqual(expectResponse(await api('GET', streams(id), { key: ROOT_KEY }), 200).data, []);
  });
}

test('a project has at most 5 log streams, also when they are created at the same time', async () => {
  const { id } = await makeProject(server);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => api('POST', streams(id), { key: ROOT_KEY, body: https() })),
  );
  const refused = responses.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map(({ body }) => body.error.details.reason),
    Array(3).fill('too_many_log_streams'),
  );
  assert.equal(expectResponse(await api('GET', streams(id), { key: ROOT_KEY }), 200).data.length, 5);
});

test('a change keeps what it does not name, and is in the audit log', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id, s3({ prefix: 'a' }));
  const change = (body: object) => api('PATCH', streams(id, `/${stream.id}`), { key: ROOT_KEY, body });
  const changed = expectResponse(await change({ bucket: 'other-logs', flush_seconds: 60, is_enabled: false }), 200);
  assert.deepEqual(
    [changed.bucket, changed.flush_seconds, changed.is_enabled, changed.prefix, changed.access_key_id],
    ['other-logs', 60, false, 'a', 'AKIATEST'],
  );
  for (const [body, field] of [
    [{ kind: 'https' }, 'kind'],
    [{ source: 'tool_calls' }, 'source'],
    [{ headers: { A: 'b' } }, 'headers'],
    [{ bucket: null }, 'bucket'],
    [{ endpoint: 'https://127.0.0.1:1/' }, 'endpoint'],
  ] as const)
    assert.equal((await change(body)).body.error.details.field, field);
  const { data } = expectResponse(await api('GET', `/projects/${id}/audit-log`, { key: ROOT_KEY }), 200);
  assert.deepEqual(data[0].action, 'log_stream.updated');
  assert.deepEqual(data[0].after.bucket, 'other-logs');
});

test('headers must be given again when they would be sent to another host', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id, { headers: { Authorization: 'Bearer x' } });
  const change = (body: object) => api('PATCH', streams(id, `/${stream.id}`), { key: ROOT_KEY, body });
  const moved = await change({ endpoint: `${store.url}/logs` });
  assert.deepEqual([moved.status, moved.body.error.details.field], [422, 'headers']);
  expectResponse(await change({ endpoint: `${receiver.url}/elsewhere` }), 200);
  const again = await change({ endpoint: `${store.url}/logs`, headers: {} });
  assert.deepEqual(expectResponse(again, 200).header_names, []);
});

test('a rotated secret signs at once, and the old one too until the overlap ends', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id, { is_enabled: false });
  const rotate = () => api('POST', streams(id, `/${stream.id}/rotate-secret`), { key: ROOT_KEY });
  const rotated = expectResponse(await rotate(), 201);
  assert.match(rotated.secret, /^whsec_/);
  assert.notEqual(rotated.secret, stream.secret);
  assert.notEqual(rotated.previous_secret_ends_at, null);
  expectResponse(await api('POST', streams(id, `/${stream.id}/test`), { key: ROOT_KEY }), 200);
  const { headers = {}, body = '' } = receiver.at(stream.path)[0] ?? {};
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(content)
      .digest('base64')}`;
  assert.equal(headers['webhook-signature'], `${sign(rotated.secret)} ${sign(stream.secret as string)}`);
  const bucket = await makeLogStream(server, receiver, id, s3());
  const refused = await api('POST', streams(id, `/${bucket.id}/rotate-secret`), { key: ROOT_KEY });
  assert.deepEqual([refused.status, refused.body.error.details.field], [422, 'kind']);
});

test('credentials that are given again change nothing', async () => {
  const { id } = await makeProject(server);
  const headers = { Authorization: 'Bearer x' };
  const stream = await makeLogStream(server, receiver, id, { headers });
  const change = (body: object) => api('PATCH', streams(id, `/${stream.id}`), { key: ROOT_KEY, body });
  assert.equal(expectResponse(await change({ headers, flush_seconds: 5 }), 200).updated_at, stream.updated_at);
  assert.notEqual(expectResponse(await change({ headers: { ...headers, B: 'c' } }), 200).updated_at, stream.updated_at);
});

const outcomes = (response: { body: any }) => response.body.steps.map(({ outcome }: any) => outcome);

test('a test sends one entry with the credentials, and shows that every step passed', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id, {
    is_enabled: false,
    headers: { Authorization: 'Bearer x' },
  });
  const response = await api('POST', streams(id, `/${stream.id}/test`), { key: ROOT_KEY });
  assert.equal(expectResponse(response, 200).is_successful, true);
  assert.deepEqual(outcomes(response), ['passed', 'passed', 'passed', 'passed']);
  const [batch] = batchesAt(receiver, stream.path);
  assert.equal((batch?.entries[0] as any)?.object, 'log_stream_test');
  const [request] = receiver.at(stream.path);
  assert.deepEqual([request?.headers['x-webhook-test'], request?.headers.authorization], ['true', 'Bearer x']);

  const bucket = await makeLogStream(server, receiver, id, s3());
  const stored = await api('POST', streams(id, `/${bucket.id}/test`), { key: ROOT_KEY });
  assert.equal(expectResponse(stored, 200).is_successful, true);
  assert.equal(store.lines(`/example-logs/${id}/audit_log/test.ndjson.gz`)[0].stream_id, bucket.id);
});

test('a test names the step that failed and why', async () => {
  const { id } = await makeProject(server);
  const tryIt = async (fields: object) => {
    const stream = await makeLogStream(server, receiver, id, fields);
    const response = await api('POST', streams(id, `/${stream.id}/test`), { key: ROOT_KEY });
    expectResponse(await api('DELETE', streams(id, `/${stream.id}`), { key: ROOT_KEY }), 204);
    assert.equal(expectResponse(response, 200).is_successful, false);
    return response;
  };
  receiver.respond('/refuses', { status: 401 });
  const refused = await tryIt({ endpoint: `${receiver.url}/refuses` });
  assert.deepEqual(outcomes(refused), ['passed', 'passed', 'passed', 'failed']);
  assert.deepEqual([refused.body.status, refused.body.steps[3].reason], [401, 'The receiver returned 401.']);

  const certificate = await tryIt({ endpoint: `${untrusted.url}/` });
  assert.deepEqual(outcomes(certificate), ['passed', 'passed', 'failed', 'not_reached']);
  assert.equal(certificate.body.steps[2].reason, "The host's certificate is not accepted.");

  const unsigned = await tryIt(s3({ secret_access_key: 'another' }));
  assert.equal(unsigned.body.steps[3].reason, 'The receiver returned 403 (SignatureDoesNotMatch).');

  const stream = await makeLogStream(server, receiver, id, { headers: { A: 'b' } });
  await server.app.pool.query(`update log_streams set endpoint = 'https://example.com/' where id = $1`, [stream.id]);
  const moved = await api('POST', streams(id, `/${stream.id}/test`), { key: ROOT_KEY });
  assert.deepEqual(outcomes(moved), ['failed', 'not_reached', 'not_reached', 'not_reached']);
});
