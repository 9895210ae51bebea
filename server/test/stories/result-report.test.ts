// Which tools cost models most tokens, and who is refused by limits most often.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertCalls } from '../../src/features/activity/analytics/store.ts';
import { insertMembers } from '../support/database/insert-members.ts';
import { recordMany } from '../support/database/record-many.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { newCall } from '../support/make/new-call.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const HOUR_MS = 3_600_000;
const now = server.app.now();
const at = (hours_ago: number) => now - hours_ago * HOUR_MS;
const report = (project_id: string, key: string, query = '') =>
  server.api('GET', `/projects/${project_id}/analytics/results${query}`, { key });
const insert = (...calls: ReturnType<typeof newCall>[]) => insertCalls(server.app.background.pool, calls);
const LIMITED = { status: 429, error_code: 'TOOL_LIMIT_REACHED', result_tokens: null, shaped_tokens: null };

test('tools are sorted by what their callers got, with sums and p95 before and after shaping', async () => {
  const { id, keys } = await makeTenant(server);
  const other = await makeTenant(server);
  const call = (tool_id: string, result_tokens: number | null, shaped_tokens: number | null, hours_ago = 1) =>
    newCall(id, { tool_id, tool_name: `${tool_id}_name`, result_tokens, shaped_tokens, created_at: at(hours_ago) });
  await insert(
    ...Array.from({ length: 19 }, () => call('tool_raw', 100, 100)),
    call('tool_raw', 9_000, 9_000),
    call('tool_shaped', 50_000, 500),
    call('tool_shaped', 10_000, 100, 2),
    call('tool_failed', null, null),
    call('tool_old', 1_000_000, 1_000_000, 30),
    newCall(other.id, {
      tool_id: 'tool_foreign',
      result_tokens: 1_000_000,
      shaped_tokens: 1_000_000,
      created_at: at(1),
    }),
  );
  const { tools, limited, counted_from, from, object } = expectResponse(await report(id, keys.read), 200);
  assert.equal(object, 'result_report');
  assert.deepEqual(tools, [
    {
      ...{ tool_id: 'tool_raw', tool_name: 'tool_raw_name', calls: 20, result_tokens: 10_900, shaped_tokens: 10_900 },
      ...{ p95_result_tokens: 100, p95_shaped_tokens: 100 },
    },
    {
      ...{ tool_id: 'tool_shaped', tool_name: 'tool_shaped_name', calls: 2, result_tokens: 60_000, shaped_tokens: 600 },
      ...{ p95_result_tokens: 50_000, p95_shaped_tokens: 500 },
    },
  ]);
  assert.deepEqual(limited, []);
  assert.equal(counted_from, from);
  const older = expectResponse(
    await report(id, keys.read, `?from=${new Date(at(48)).toISOString()}&to=${new Date(at(24)).toISOString()}`),
    200,
  );
  assert.deepEqual(
    older.tools.map(({ tool_id }: any) => tool_id),
    ['tool_old'],
  );
});

test('limited callers are members, people and keys, with their names and when it was last', async () => {
  const { id, keys } = await makeTenant(server);
  const key = expectResponse(
    await server.api('POST', `/projects/${id}/api-keys`, {
      key: keys.admin,
      body: { name: 'Nightly', permissions: ['read'] },
    }),
    201,
  );
  const refused = (fields: object, minutes_ago: number) =>
    newCall(id, { ...LIMITED, api_key_id: key.id, created_at: now - minutes_ago * 60_000, ...fields });
  await insertMembers(server.app.database, id, ['mem_eager']);
  await insert(
    refused({}, 3),
    refused({}, 2),
    refused({ member_id: 'mem_eager' }, 1),
    refused({ account_id: 'usr_1', api_key_id: null }, 4),
    refused({ error_code: 'UPSTREAM_STATUS' }, 1),
  );
  const { limited } = expectResponse(await report(id, keys.admin), 200);
  const last = (minutes_ago: number) => new Date(now - minutes_ago * 60_000).getTime();
  assert.deepEqual(
    limited.map(({ last_at, ...each }: any) => ({ ...each, last_at: Date.parse(last_at) })),
    [
      { kind: 'api_key', id: key.id, name: 'Nightly', calls: 2, last_at: last(2) },
      { kind: 'member', id: 'mem_eager', name: 'external-mem_eager', calls: 1, last_at: last(1) },
      { kind: 'account', id: 'usr_1', name: null, calls: 1, last_at: last(4) },
    ],
  );
  const seen = expectResponse(await report(id, keys.read), 200).limited.find(({ kind }: any) => kind === 'member');
  assert.equal(seen.name, 'mem_eager', 'external ids are for admins');
});

test('of a period with many calls the newest 20,000 are counted, and the answer says since when', async () => {
  const { id, keys } = await makeTenant(server);
  const since = Math.floor(at(20) / HOUR_MS) * HOUR_MS;
  await recordMany(
    server.app,
    id,
    { count: 50_000, since },
    {
      created_at: `to_timestamp(${since / 1000}) + i * interval '1 second'`,
      tool_id: `'tool_' || i % 7`,
      shaped_tokens: '10',
    },
  );
  const { tools, counted_from } = expectResponse(await report(id, keys.read), 200);
  assert.equal(
    tools.reduce((sum: number, { calls }: any) => sum + calls, 0),
    20_000,
  );
  assert.equal(Date.parse(counted_from), since + 30_000 * 1_000);
});

test('a period that is not valid, or ends before it begins, is refused at its field', async () => {
  const { id, keys } = await makeTenant(server);
  for (const [query, field] of [
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30T00:00:00Z', 'to'],
    ['?from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', 'from'],
    ['?group_by=tool', 'group_by'],
  ] as const) {
    const refused = expectResponse(await report(id, keys.read, query), 422);
    assert.equal(refused.error.details.field, field);
  }
  assert.equal((await report(id, (await makeTenant(server)).keys.read)).status, 401);
});
