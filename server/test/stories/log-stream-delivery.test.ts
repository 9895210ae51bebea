// What a log stream promises: every entry, in the order of commit, at least once, from where it stopped after any outage.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { resetTransactionIds } from '../../src/features/activity/analytics/reset-transaction-ids.ts';
import { insertCalls, type NewCall } from '../../src/features/activity/analytics/store.ts';
import { resetStreamCursors } from '../../src/features/activity/log-streams/reset-cursors.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { batchesAt, entriesAt, makeLogStream } from '../support/make/make-log-stream.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { newCall } from '../support/make/new-call.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { readMetrics } from '../support/requests/read-metrics.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });
const { api, app } = server;

const read = async (project_id: string, id: string) =>
  expectResponse(await api('GET', `/projects/${project_id}/log-streams/${id}`, { key: ROOT_KEY }), 200);

/** Calls of the log, one transaction for each list. */
async function record(project_id: string, ...lists: Partial<NewCall>[][]): Promise<string[]> {
  const made = lists.map((list) => list.map((fields) => newCall(project_id, { created_at: app.now(), ...fields })));
  for (const calls of made) await insertCalls(app.pool, calls);
  return made.flat().map(({ id }) => id);
}

async function nextFlush(seconds = 5): Promise<void> {
  server.advance(seconds * 1000);
  await server.runJobs();
}

test('an HTTPS receiver gets what the log shows, as one signed batch', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  const key = await makeKey(server, id);
  const tool = await makeTool(server, key.key, receiver);
  for (const _ of [1, 2, 3]) expectResponse(await execute(server, key.key, tool.id), 200);
  await app.batch_writer.flush();
  await nextFlush();

  const [request, ...more] = receiver.at(stream.path);
  assert.equal(more.length, 0);
  const batch = JSON.parse(String(request?.body));
  const log = expectResponse(await api('GET', `/projects/${id}/tool-calls`, { key: ROOT_KEY }), 200).data.reverse();
  assert.deepEqual(batch, { stream_id: stream.id, first_id: log[0].id, last_id: log[2].id, entries: log });
  const headers = request?.headers ?? {};
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${request?.body}`;
  const secret = Buffer.from(String(stream.secret).slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${signature}`);
  const { lag_seconds, last_entry_id, last_error } = await read(id, stream.id);
  assert.deepEqual([lag_seconds, last_entry_id, last_error], [0, log[2].id, null]);
});

test('a stream begins when it is created, and gets nothing of another project', async () => {
  const [ours, theirs] = [await makeProject(server), await makeProject(server)];
  await record(ours.id, [{}]);
  const stream = await makeLogStream(server, receiver, ours.id);
  await record(theirs.id, [{}]);
  const ids = await record(ours.id, [{}, {}]);
  await nextFlush();
  await nextFlush();
  assert.deepEqual(entriesAt(receiver, stream.path).sort(), ids.sort());
});

test('a call that commits late is not skipped, although its time and its transaction are lower', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  const late = newCall(id, { created_at: app.now() - 30_000 });
  const client = await app.background.pool.connect();
  await client.query('begin');
  // Without rollups: with them, the other calls of the project would wait for this transaction.
  await client.query(
    `insert into tool_calls (id, project_id, tool_id, tool_name, tool_version, transport, status, duration_ms,
      request_bytes, response_bytes, request_id, created_at)
     values ($1, $2, 'tool_1', 'get_order', 1, 'rest', 200, 1, 1, 1, 'req_1', to_timestamp($3::float8 / 1000))`,
    [late.id, id, late.created_at],
  );
  const [early] = await record(id, [{}]);
  await nextFlush();
  assert.deepEqual(entriesAt(receiver, stream.path), [early]);
  const [second] = await record(id, [{}]);
  await nextFlush();
  await client.query('commit');
  client.release();
  assert.equal((await read(id, stream.id)).lag_seconds >= 30, true);
  await nextFlush();
  assert.deepEqual(entriesAt(receiver, stream.path), [early, second, late.id]);
});

test('a backlog arrives in bounded batches, in the order of commit, each entry once', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  const ids: string[] = [];
  // Times fall while transactions rise.
  for (let i = 0; i < 5; i += 1)
    ids.push(
      ...(await record(
        id,
        Array.from({ length: 700 }, (_, n) => ({ created_at: app.now() - i * 1000 + n })),
      )),
    );
  await nextFlush();
  const batches = batchesAt(receiver, stream.path);
  assert.deepEqual(entriesAt(receiver, stream.path), ids);
  assert.ok(batches.length >= 4 && batches.every(({ entries }) => entries.length <= 1000));
  for (const { first_id, last_id, entries } of batches)
    assert.deepEqual([first_id, last_id], [entries[0]?.id, entries.at(-1)?.id]);
});

test('calls that are recorded during a backlog wait for its end, and none is lost', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  const ids = await record(id, Array(1500).fill({}), [{}]);
  let first = true;
  receiver.respond(stream.path, () => {
    const isFirst = first;
    first = false;
    return isFirst ? { hold: record(id, [{ created_at: app.now() - 60_000 }]).then((more) => ids.push(...more)) } : {};
  });
  await nextFlush();
  await nextFlush();
  assert.deepEqual(entriesAt(receiver, stream.path).sort(), [...ids].sort());
});

test('a receiver that is down for an hour is tried at least every 60 seconds, and then gets everything in order', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  receiver.respond(stream.path, { status: 503 });
  const ids: string[] = [];
  let [tries, steps, longest] = [0, 0, 0];
  // Steps of 15 seconds: four of them are a minute.
  for (let step = 0; step < 240; step += 1) {
    ids.push(...(await record(id, [{}])));
    await nextFlush(15);
    const isTried = receiver.at(stream.path).length > tries;
    tries = receiver.at(stream.path).length;
    steps = isTried ? 0 : steps + 1;
    longest = Math.max(longest, steps + 1);
  }
  assert.ok(longest <= 4, `${longest} steps without an attempt`);
  const failing = await read(id, stream.id);
  assert.deepEqual([failing.last_error.code, failing.last_error.status], ['status', 503]);
  assert.ok(failing.lag_seconds >= 3590 && failing.failing_since !== null && failing.is_enabled);
  const metrics = await readMetrics(server, ROOT_KEY);
  const labels = `stream_id="${stream.id}",project_id="${id}",kind="https",source="tool_calls"`;
  assert.ok((metrics.get(`toolgate_log_stream_lag_seconds{${labels}}`) ?? 0) >= 3590);
  assert.equal(metrics.get(`toolgate_log_stream_failing{${labels},error="status"}`), 1);

  const failed = receiver.at(stream.path).length;
  receiver.respond(stream.path, {});
  await nextFlush(60);
  const accepted = batchesAt(receiver, stream.path).slice(failed);
  assert.deepEqual(
    accepted.flatMap(({ entries }) => entries.map((entry) => entry.id)),
    ids,
  );
  const { lag_seconds, failing_since, last_error } = await read(id, stream.id);
  assert.deepEqual([lag_seconds, failing_since, last_error], [0, null, null]);
});

test('a batch whose acceptance was not saved is sent again: duplicates have the same ids', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  const ids = await record(id, [{}, {}]);
  // As if the process were killed between the answer and the commit: another worker claims the job, and this one may not save.
  receiver.respond(stream.path, () => {
    receiver.respond(stream.path, {});
    return {
      hold: sql`update jobs set fencing_token = fencing_token + 1, state = 'waiting', run_at = now() - interval '1 hour'
        where kind = 'log_stream' and subject = ${stream.id}`.execute(app.database),
    };
  });
  await nextFlush();
  await nextFlush();
  const batches = batchesAt(receiver, stream.path);
  assert.ok(batches.length >= 2);
  for (const { entries } of batches) assert.deepEqual(entries.map((entry) => entry.id).sort(), [...ids].sort());
  assert.equal((await read(id, stream.id)).lag_seconds, 0);
});

test('one that fails for five days is switched off with an event, and goes on where it stopped when it is switched on', async () => {
  const { id } = await makeProject(server);
  const events = await makeWebhook(server, receiver, id, { events: ['log_stream.disabled'] });
  const stream = await makeLogStream(server, receiver, id);
  receiver.respond(stream.path, { status: 500 });
  const ids = await record(id, [{}]);
  for (let day = 0; day < 5.5; day += 0.5) {
    await nextFlush();
    server.advance(DAY_MS / 2);
  }
  await server.runJobs();
  const off = await read(id, stream.id);
  assert.deepEqual([off.is_enabled, off.disabled_reason], [false, 'failing']);
  const [event] = receiver.at(events.path).map(({ body }) => JSON.parse(String(body)));
  assert.deepEqual([event.type, event.data.id, event.data.is_enabled], ['log_stream.disabled', stream.id, false]);
  const tries = receiver.at(stream.path).length;
  await nextFlush(60);
  assert.equal(receiver.at(stream.path).length, tries);

  receiver.respond(stream.path, {});
  ids.push(...(await record(id, [{}])));
  const on = await api('PATCH', `/projects/${id}/log-streams/${stream.id}`, {
    key: ROOT_KEY,
    body: { is_enabled: true },
  });
  const { disabled_reason, failing_since, last_error } = expectResponse(on, 200);
  assert.deepEqual([disabled_reason, failing_since, last_error], [null, null, null]);
  await server.runJobs();
  assert.deepEqual(entriesAt(receiver, stream.path).slice(tries), ids);
});

test('a slow receiver delays only its own stream', async () => {
  const { id } = await makeProject(server);
  let release = () => {};
  const hold = new Promise<void>((resolve) => (release = resolve));
  const slow = await makeLogStream(server, receiver, id);
  const quick = await makeLogStream(server, receiver, id);
  receiver.respond(slow.path, { hold });
  const ids = await record(id, [{}]);
  const running = nextFlush();
  while (entriesAt(receiver, quick.path).length === 0 || receiver.at(slow.path).length === 0)
    await new Promise(setImmediate);
  assert.deepEqual(entriesAt(receiver, quick.path), ids);
  release();
  await running;
});

test('an audit stream sends the entries of the project in the order of the chain', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id, { source: 'audit_log' });
  const other = await makeProject(server);
  await makeKey(server, other.id);
  for (const _ of [1, 2, 3]) await makeKey(server, id);
  await nextFlush();
  await nextFlush();
  const sent = batchesAt(receiver, stream.path).flatMap(({ entries }) => entries) as any[];
  const log = expectResponse(await api('GET', `/projects/${id}/audit-log`, { key: ROOT_KEY }), 200).data;
  const shown = log.filter(({ seq }: any) => seq >= sent[0].seq).sort((a: any, b: any) => a.seq - b.seq);
  assert.deepEqual(sent, shown);
  assert.deepEqual(sent.map(({ action }) => action).slice(-4), [
    'log_stream.created',
    ...Array(3).fill('api_key.created'),
  ]);
});

test('after a restore what was not sent is sent, and nothing is lost', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  const sent = await record(id, [{}]);
  await nextFlush();
  const unsent = await record(id, [{}], [{}]);
  await resetTransactionIds(app.database);
  await resetStreamCursors(app.database);
  const later = await record(id, [{}]);
  await nextFlush();
  await nextFlush();
  assert.deepEqual(new Set(entriesAt(receiver, stream.path)), new Set([...sent, ...unsent, ...later]));
});

test('a deleted stream, and one of a deleted project, send nothing more', async () => {
  const { id } = await makeProject(server);
  const [gone, of_deleted] = [await makeLogStream(server, receiver, id), await makeLogStream(server, receiver, id)];
  await record(id, [{}]);
  expectResponse(await api('DELETE', `/projects/${id}/log-streams/${gone.id}`, { key: ROOT_KEY }), 204);
  expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  await nextFlush();
  assert.deepEqual([receiver.at(gone.path).length, receiver.at(of_deleted.path).length], [0, 0]);
  const jobs = await sql<{ subject: string }>`
    select subject from jobs where subject = any(${[gone.id, of_deleted.id]})`.execute(app.database);
  assert.deepEqual(jobs.rows, []);
});

test('a stream without a job gets one', async () => {
  const { id } = await makeProject(server);
  const stream = await makeLogStream(server, receiver, id);
  await sql`delete from jobs where kind = 'log_stream' and subject = ${stream.id}`.execute(app.database);
  const ids = await record(id, [{}]);
  await nextFlush(60);
  await nextFlush();
  assert.deepEqual(entriesAt(receiver, stream.path), ids);
});
