// Log streams to an OpenTelemetry collector.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { insertCalls } from '../../src/features/activity/analytics/store.ts';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import { makeLogStream } from '../support/make/make-log-stream.ts';
import { newCall } from '../support/make/new-call.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const collector = await startCustomer();
after(() => collector.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: collector.address });
const { api, app } = server;

async function nextFlush(): Promise<void> {
  server.advance(5_000);
  await server.runJobs();
}

const makeOtlp = (project_id: string, path: string, fields: object = {}) =>
  makeLogStream(server, collector, project_id, { kind: 'otlp_http', endpoint: collector.url + path, ...fields });

const recordsAt = (path: string): any[] =>
  collector
    .at(path)
    .flatMap(({ body }) => JSON.parse(String(body)).resourceLogs)
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords }) => logRecords);

const attributes = ({ attributes: list }: any): Record<string, any> =>
  Object.fromEntries(list.map(({ key, value }: any) => [key, value]));

test('a collector gets a log record for each call, with its fields as attributes', async () => {
  const { id } = await makeProject(server);
  const base = `/${unique('collector')}`;
  const stream = await makeOtlp(id, base, { headers: { Authorization: 'Bearer of-the-collector' } });
  const at = app.now();
  const [good, bad] = [
    newCall(id, { created_at: at }),
    newCall(id, { created_at: at + 1, status: 502, error_code: 'UPSTREAM_STATUS' }),
  ];
  await insertCalls(app.pool, [good, bad]);
  await nextFlush();
  const path = `${base}/v1/logs`;
  const [request] = collector.at(path);
  assert.deepEqual(
    [request?.method, request?.headers['content-type'], request?.headers.authorization],
    ['POST', 'application/json', 'Bearer of-the-collector'],
  );
  const [first, second, ...more] = recordsAt(path);
  assert.equal(more.length, 0);
  assert.equal(first.timeUnixNano, `${at}000000`);
  assert.deepEqual([first.severityText, first.body.stringValue], ['INFO', 'get_order succeeded']);
  assert.deepEqual([second.severityText, second.body.stringValue], ['ERROR', 'get_order failed with UPSTREAM_STATUS']);
  const shown = attributes(first);
  assert.deepEqual(shown['toolgate.id'], { stringValue: good.id });
  assert.deepEqual(shown['toolgate.duration_ms'], { intValue: 12 });
  assert.deepEqual(shown['toolgate.member_id'], undefined);
  const { resourceLogs } = JSON.parse(String(request?.body));
  assert.deepEqual(attributes(resourceLogs[0].resource)['toolgate.stream_id'], { stringValue: stream.id });
});

test('the address of the logs can be given itself, and audit entries are log records too', async () => {
  const { id } = await makeProject(server);
  const path = `/${unique('collector')}/v1/logs`;
  await makeOtlp(id, path, { source: 'audit_log' });
  await makeKey(server, id);
  await nextFlush();
  const records = recordsAt(path);
  assert.deepEqual(
    records.map(({ eventName }) => eventName),
    Array(records.length).fill('toolgate.audit_entry'),
  );
  assert.ok(records.some(({ body }) => String(body.stringValue).startsWith('api_key.created key_')));
});

test('records that a collector refuses are reported and not sent again', async () => {
  const { id } = await makeProject(server);
  const path = `/${unique('collector')}/v1/logs`;
  const stream = await makeOtlp(id, path);
  const body = { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'too old' } };
  collector.respond(path, { body, headers: { 'content-type': 'application/json' } });
  await insertCalls(app.pool, [newCall(id, { created_at: app.now() })]);
  await nextFlush();
  await nextFlush();
  assert.equal(collector.at(path).length, 1);
  const read = expectResponse(await api('GET', `/projects/${id}/log-streams/${stream.id}`, { key: ROOT_KEY }), 200);
  assert.deepEqual([read.last_error.code, read.failing_since, read.lag_seconds], ['rejected', null, 0]);
});
