// Each table of retention.ts: a row that is a minute older than it is kept is deleted, a row that is a minute younger stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeOldRows, retention } from '../../src/retention.ts';
import { startServer } from '../support/servers/start-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const server = await startServer({ TOOLGATE_EVENT_DAYS: '20', TOOLGATE_DELIVERY_DAYS: '10' });
const { app } = server;

type Time = { column: string; kept_ms: number; unit?: 'ms' | 's' | 'day'; is?: Record<string, string> };

const times: Record<string, Time> = {
  idempotency_keys: { column: 'expires_at', kept_ms: 0 },
  idempotency_bytes: { column: 'hour', kept_ms: 26 * HOUR_MS },
  member_sessions: { column: 'expires_at', kept_ms: DAY_MS, is: { api_key_id: 'key_x' } },
  used_assertion_ids: { column: 'expires_at', kept_ms: DAY_MS },
  client_sessions: { column: 'expires_at', kept_ms: DAY_MS },
  used_jwt_ids: { column: 'expires_at', kept_ms: DAY_MS },
  oauth_requests: { column: 'expires_at', kept_ms: 0, is: { client_kind: 'registered' } },
  oauth_dynamic_clients: { column: 'expires_at', kept_ms: 0 },
  oauth_approvals: { column: 'expires_at', kept_ms: 0 },
  oauth_grants: { column: 'revoked_at', kept_ms: 25 * HOUR_MS, is: { client_kind: 'registered' } },
  oauth_refresh_tokens: { column: 'created_at', kept_ms: 30 * DAY_MS },
  account_sessions: { column: 'expires_at', kept_ms: 0 },
  setup_links: { column: 'expires_at', kept_ms: 0 },
  sso_requests: { column: 'expires_at', kept_ms: 0, is: { purpose: 'sign_in' } },
  failed_sign_ins: { column: 'last_failed_at', kept_ms: HOUR_MS },
  failure_counts: { column: 'ends_at', kept_ms: 0 },
  request_counts: { column: 'second', kept_ms: HOUR_MS + MINUTE_MS, unit: 's' },
  request_log: { column: 'first_ms', kept_ms: HOUR_MS + MINUTE_MS, unit: 'ms' },
  limit_log: { column: 'expires_ms', kept_ms: 0, unit: 'ms' },
  limit_refusals: { column: 'refused_ms', kept_ms: HOUR_MS, unit: 'ms' },
  output_mismatches: { column: 'day', kept_ms: 10 * DAY_MS, unit: 'day' },
  request_traces: { column: 'created_at', kept_ms: DAY_MS },
  files: { column: 'expires_at', kept_ms: 0, is: { storage: 'database' } },
  upload_tickets: { column: 'expires_at', kept_ms: 0 },
  tasks: { column: 'expires_at', kept_ms: 0, is: { status: 'completed' } },
  approvals: { column: 'created_at', kept_ms: 30 * DAY_MS, is: { by: 'approver', status: 'used' } },
  deliveries: { column: 'created_at', kept_ms: 10 * DAY_MS, is: { status: 'failed' } },
  events: { column: 'created_at', kept_ms: 20 * DAY_MS },
};

test('this page has every table whose old rows are deleted', () => {
  assert.deepEqual(Object.keys(times).sort(), retention.map(({ table }) => table).sort());
});

for (const [table, time] of Object.entries(times))
  test(`rows of ${table} are deleted after their time, and not before`, async () => {
    const { kept_ms, unit } = time;
    const margin_ms = unit === 'day' ? DAY_MS : MINUTE_MS;
    await insert(table, time, app.now() - kept_ms - margin_ms, 1);
    await insert(table, time, app.now() - kept_ms + margin_ms, 2);
    await removeOldRows(app);
    const { rows } = await app.pool.query(`select ${time.column} as at from ${table}`);
    assert.equal(rows.length, 1);
    assert.ok(millisecondsOf(rows[0].at, unit) > app.now() - kept_ms - margin_ms, 'the younger row stays');
  });

test('a pending delivery stays, however old it is', async () => {
  await app.pool.query('delete from deliveries');
  await insert(
    'deliveries',
    { column: 'created_at', kept_ms: 0, is: { status: 'pending' } },
    app.now() - 400 * DAY_MS,
    3,
  );
  await removeOldRows(app);
  assert.equal((await app.pool.query('select from deliveries')).rows.length, 1);
});

function millisecondsOf(at: string | number, unit: Time['unit']): number {
  if (unit === 'ms') return Number(at);
  return unit === 's' ? Number(at) * 1000 : new Date(at).getTime();
}

/** A row with a value in every column that requires one, without the rows that it refers to. */
async function insert(table: string, { column, unit, is = {} }: Time, ms: number, n: number): Promise<void> {
  const { rows: required } = await app.pool.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_nullable = 'NO' and column_default is null
       and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const values: Record<string, unknown> = Object.fromEntries(
    required.map(({ name, type }) => [name, placeholder(type, n)]),
  );
  const at = new Date(ms).toISOString();
  const written = { ms: Math.round(ms), s: Math.floor(ms / 1000), day: at.slice(0, 10) };
  Object.assign(values, is, { [column]: unit ? written[unit] : at });
  const names = Object.keys(values);
  const client = await app.pool.connect();
  await client.query('begin');
  try {
    await client.query(`set local session_replication_role = replica`);
    await client.query(
      `insert into ${table} (${names.map((name) => `"${name}"`)}) values (${names.map((_, i) => `$${i + 1}`)})`,
      Object.values(values),
    );
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function placeholder(type: string, n: number): unknown {
  if (type === 'bytea') return Buffer.alloc(32, n);
  if (type === 'ARRAY') return [];
  if (type === 'boolean') return false;
  if (type === 'jsonb' || type === 'json') return '{}';
  if (type.startsWith('timestamp')) return new Date(app.now()).toISOString();
  return /int|numeric|double|real/.test(type) ? n : `x${n}`;
}
