import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../../test/test-database.ts';
import { insertCalls, type NewCall, serializeCall } from './store.ts';

const { database, pool, close } = await openTestDatabase();
after(close);

const call: NewCall = {
  id: 'call_1',
  project_id: 'prj_1',
  tool_id: 'tool_1',
  tool_version: 3,
  integration_id: 'int_1',
  api_key_id: 'key_1',
  session_id: 'ses_1',
  member_id: 'mem_"1"\\',
  status: 502,
  error_code: 'UPSTREAM_STATUS',
  upstream_status: 503,
  duration_ms: 12,
  request_bytes: 120,
  response_bytes: 300,
  request_id: 'req_1',
  created_at: Date.UTC(2026, 10, 15, 2, 11, 0, 123),
};

const select = (id: string) =>
  database.selectFrom('tool_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('each value of a call is stored in its own column', async () => {
  await insertCalls(pool, [serializeCall(call)]);
  const { created_at, ...row } = await select('call_1');
  assert.deepEqual({ ...row, created_at: Date.parse(created_at) }, call);
});

test('a value that a call does not have is stored as null', async () => {
  const nothing = { integration_id: null, api_key_id: null, session_id: null, member_id: null };
  const bare = { ...call, ...nothing, id: 'call_2', error_code: null, upstream_status: null };
  await insertCalls(pool, [serializeCall(bare)]);
  const { created_at, ...row } = await select('call_2');
  assert.deepEqual({ ...row, created_at: Date.parse(created_at) }, bare);
});

test('a batch that is written twice stores each call once', async () => {
  const texts = ['call_3', 'call_4'].map((id) => serializeCall({ ...call, id, project_id: 'prj_2' }));
  await insertCalls(pool, texts);
  await insertCalls(pool, texts);
  const rows = await database.selectFrom('tool_calls').select('id').where('project_id', '=', 'prj_2').execute();
  assert.deepEqual(rows.map(({ id }) => id).sort(), ['call_3', 'call_4']);
});
