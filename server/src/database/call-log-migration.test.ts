import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEarlierSchema } from '../../test/migrate-from.ts';

const { client, migrateBefore } = await openEarlierSchema('0019');

test('calls of earlier versions are kept, each in the partition of its day', async () => {
  await client.query(`
    insert into projects (id, organization_id, name, environment, plan, quota_group_id)
      select 'prj_1', id, 'shop', 'development', 'free', 'prj_1' from organizations limit 1;
    insert into tool_calls (id, project_id, tool_id, tool_version, status, error_code, duration_ms, request_bytes,
      response_bytes, request_id, created_at) values
      ('call_1', 'prj_1', 'tool_gone', 2, 200, null, 12, 1, 2, 'req_1', '2026-03-29 23:59:59.999999Z'),
      ('call_2', 'prj_1', 'tool_gone', 2, 502, 'UPSTREAM_STATUS', 30, 1, 2, 'req_2', '2026-03-30 00:00:00Z');`);
  await migrateBefore('0020');
  const { rows } = await client.query(
    'select id, tableoid::regclass::text as partition, tool_name, door, error_code, duration_ms from tool_calls order by id',
  );
  const kept = { tool_name: 'tool_gone', door: 'rest' };
  assert.deepEqual(rows, [
    { id: 'call_1', partition: 'tool_calls_20260329', ...kept, error_code: null, duration_ms: 12 },
    { id: 'call_2', partition: 'tool_calls_20260330', ...kept, error_code: 'UPSTREAM_STATUS', duration_ms: 30 },
  ]);
});
