import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../../../test/free-port.ts';
import { makeProject } from '../../../test/make.ts';
import { ROOT_KEY, startServer } from '../../../test/start-server.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openDatabase, openPool } from '../../database/connection.ts';
import { newId } from '../../database/ids.ts';
import { bufferIfSubscribed } from './buffer-event.ts';

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
