import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../../test/test-database.ts';
import { callText, insertCalls, type NewCall } from './store.ts';

const { database, pool, close } = await openTestDatabase();
after(close);

const call: NewCall = {
  id: 'call_1',
  project_id: 'prj_1',
  tool_id: 'tool_1',
  tool_version: 3,
  integration_id: 'int_1',
  key_id: 'key_1',
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

test('each value of a call is found in its own column', async () => {
  await insertCalls(pool, [callText(call)]);
  const { created_at, ...row } = await select('call_1');
  assert.deepEqual({ ...row, created_at: Date.parse(created_at) }, call);
});

test('what a call did not have is null', async () => {
  const nothing = { integration_id: null, key_id: null, session_id: null, member_id: null };
  const bare = { ...call, ...nothing, id: 'call_2', error_code: null, upstream_status: null };
  await insertCalls(pool, [callText(bare)]);
  const { created_at, ...row } = await select('call_2');
  assert.deepEqual({ ...row, created_at: Date.parse(created_at) }, bare);
});

test('a batch that is written twice leaves each call once', async () => {
  const texts = ['call_3', 'call_4'].map((id) => callText({ ...call, id, project_id: 'prj_2' }));
  await insertCalls(pool, texts);
  await insertCalls(pool, texts);
  const rows = await database.selectFrom('tool_calls').select('id').where('project_id', '=', 'prj_2').execute();
  assert.deepEqual(rows.map(({ id }) => id).sort(), ['call_3', 'call_4']);
});
