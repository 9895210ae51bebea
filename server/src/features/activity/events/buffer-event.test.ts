import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { untilLockWait } from '../../../../test/support/database/until-lock-wait.ts';
import { makeProject } from '../../../../test/support/make/make.ts';
import { freePort } from '../../../../test/support/servers/free-port.ts';
import { ROOT_KEY, startServer } from '../../../../test/support/servers/start-server.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { createBatchWriter } from '../../../database/batch-writer.ts';
import { openDatabase, openPool } from '../../../database/connection.ts';
import { newId } from '../../../database/ids.ts';
import { bufferHourlyEvent, bufferIfSubscribed } from './buffer-event.ts';
import type { NewEvent } from './record.ts';

const server = await startServer();

test('an event is recorded although the database was unavailable when it happened, if a webhook subscribes to it', async () => {
  const unreachable = openPool({ connectionString: `postgres://127.0.0.1:${await freePort()}/none` }, { size: 1 });
  after(() => unreachable.end());
  const app = { ...server.app, database: openDatabase(unreachable) };
  const [subscribed, other] = [await makeProject(server), await makeProject(server)];
  const body = { url: 'https://example.com/hook', events: ['tool_call.failed'] };
  await server.api('POST', `/projects/${subscribed.id}/webhooks`, { key: ROOT_KEY, body });
  const happen = (project_id: string, type: string) =>
    bufferIfSubscribed(app, project_id, type, () => {
      const created_at = new Date(app.now()).toISOString();
      const payload = JSON.stringify({ type });
      return {
        id: newId('evt'),
        project_id,
        type,
        payload,
        created_at,
        webhook_id: null,
        is_test: false,
        filters: [type],
      };
    });
  happen(subscribed.id, 'tool_call.failed');
  happen(subscribed.id, 'tool_call.succeeded');
  happen(other.id, 'tool_call.failed');
  const typesOf = async (project_id: string) => {
    await app.batch_writer.flush();
    const { rows } = await app.pool.query("select type from events where project_id = $1 and type like 'tool_call.%'", [
      project_id,
    ]);
    return rows.map(({ type }) => type);
  };
  const isRecorded = async () => (await typesOf(subscribed.id)).length > 0;
  await waitUntil(isRecorded, 20_000, 'the event is recorded');
  assert.deepEqual(await typesOf(subscribed.id), ['tool_call.failed']);
  assert.deepEqual(await typesOf(other.id), []);
});

const HOUR_MS = 3_600_000;
const type = 'rate_limit.exceeded';

function hourlyEvent(project_id: string, at: number): NewEvent {
  const created_at = new Date(at).toISOString();
  const id = newId('evt');
  return { id, project_id, type, payload: '{}', created_at, webhook_id: null, is_test: false, filters: [type] };
}

const recordedOf = async (project_id: string) =>
  server.app.database
    .selectFrom('events')
    .select('created_at')
    .where('project_id', '=', project_id)
    .where('type', '=', type)
    .orderBy('created_at')
    .execute();

/** A process: all that an hourly event needs of it. */
const newProcess = () => ({
  ...server.app,
  batch_writer: createBatchWriter(server.app.background.pool, server.app.log),
});

test('an hourly event that two processes write at the same time is recorded once', async () => {
  const { id } = await makeProject(server);
  const processes = [newProcess(), newProcess()];
  const writing = await server.app.database.transaction().execute(async (database) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(database);
    await sql`lock table events in share mode`.execute(database);
    for (const each of processes) bufferHourlyEvent(each, hourlyEvent(id, server.app.now()));
    const writing = processes.map(({ batch_writer }) => batch_writer.flush());
    await untilLockWait(server.app, 2);
    return { writing };
  });
  await Promise.all(writing.writing);
  assert.equal((await recordedOf(id)).length, 1);
});

test('an hourly event is recorded once for each hour of its project, whatever is in the same batch', async () => {
  const [one, other] = [await makeProject(server), await makeProject(server)];
  const { batch_writer } = newProcess();
  const write = async (...events: NewEvent[]) => {
    for (const event of events) bufferHourlyEvent({ ...server.app, batch_writer }, event);
    await batch_writer.flush();
  };
  const now = server.app.now();
  const first = hourlyEvent(one.id, now);
  await write(first, hourlyEvent(one.id, now + 1), hourlyEvent(other.id, now - HOUR_MS));
  await write(first);
  assert.deepEqual([(await recordedOf(one.id)).length, (await recordedOf(other.id)).length], [1, 1]);
  await write(hourlyEvent(one.id, now + HOUR_MS), hourlyEvent(other.id, now - 1));
  assert.deepEqual([(await recordedOf(one.id)).length, (await recordedOf(other.id)).length], [2, 1]);
});
