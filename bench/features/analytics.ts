// The call log with a million calls: how fast calls and their rollups are written, how fast questions are answered, and how much
// space both take. Calls are written as the server writes them, in batches of 1,000.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '../../server/src/access/caller.ts';
import { openApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { newId } from '../../server/src/database/ids.ts';
import { listCalls } from '../../server/src/features/activity/analytics/read.ts';
import { type GroupNames, readAnalytics } from '../../server/src/features/activity/analytics/read-analytics.ts';
import { insertCalls, type NewCall } from '../../server/src/features/activity/analytics/store.ts';
import { createProject } from '../../server/src/features/projects/projects/create.ts';
import { findProject } from '../../server/src/features/projects/projects/find.ts';
import { createLog } from '../../server/src/log/log.ts';
import { insertMembers } from '../../server/test/support/database/insert-members.ts';
import { finish, report } from '../measure.ts';
import { cpuOf } from '../processes.ts';
import { median } from '../statistics.ts';

const DAY_MS = 86_400_000;
const STORED = 1_000_000;
const BATCH = 1000;
const PER_SECOND = 5000;
const MEASURED = 50_000;
const RUNS = 20;

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const config = readConfig({ TOOLGATE_DATA_DIR: join(data, 'data'), TOOLGATE_LOG_LEVEL: 'warn' });
const { app, close } = await openApp(config, createLog('warn'));

type Tenant = { caller: Caller; project_id: string; tools: string[]; keys: string[]; members: string[] };

const ids = (prefix: 'tool' | 'key' | 'mem', count: number) => Array.from({ length: count }, () => newId(prefix));

async function makeTenant(members: number): Promise<Tenant> {
  const { id } = await createProject(
    app,
    { kind: 'root', project: null },
    { name: 'bench', environment: 'production' },
  );
  const caller: Caller = { kind: 'root', project: await findProject(app, id) };
  const tenant = { caller, project_id: id, tools: ids('tool', 20), keys: ids('key', 3), members: ids('mem', members) };
  await insertMembers(app.database, id, tenant.members);
  return tenant;
}

const oneOf = (list: string[]) => list[Math.floor(Math.random() * list.length)] as string;

/** Every second call is by a member over MCP, one in twenty fails, and durations are spread from 5 ms to 5 s. */
function makeCall({ project_id, tools, keys, members }: Tenant, created_at: number): NewCall {
  const isMember = Math.random() < 0.5;
  const hasFailed = Math.random() < 0.05;
  const duration_ms = Math.floor(5 * Math.exp(7 * Math.random() ** 3));
  return {
    id: newId('call'),
    project_id,
    tool_id: oneOf(tools),
    tool_name: 'find_order',
    tool_version: 1,
    integration_id: isMember ? 'int_4fTq0cDkXv8mWn2ZbR6yLs' : null,
    api_key_id: oneOf(keys),
    session_id: isMember ? 'ses_4fTq0cDkXv8mWn2ZbR6yLs' : null,
    member_id: isMember ? oneOf(members) : null,
    account_id: null,
    transport: isMember ? 'mcp' : 'rest',
    client_name: isMember ? 'bench' : null,
    protocol_version: isMember ? '2025-11-25' : null,
    via: null,
    is_waiting: false,
    status: hasFailed ? 502 : 200,
    error_code: hasFailed ? 'UPSTREAM_STATUS' : null,
    failed_step: hasFailed ? 'upstream' : null,
    reason: null,
    remedy: null,
    upstream_status: hasFailed ? 500 : 200,
    duration_ms,
    waiting_ms: null,
    poll_count: null,
    task_ms: null,
    queue_ms: 0,
    connect_ms: 1,
    upstream_ms: duration_ms,
    request_bytes: 120,
    response_bytes: 900,
    result_tokens: 300,
    shaped_tokens: 300,
    policy: null,
    request_id: newId('req'),
    created_at,
  };
}

/** Returns how long the database took, without the time to make the calls. */
async function write(tenants: Tenant[], count: number, timeOf: (n: number) => number): Promise<number> {
  let spent_ms = 0;
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) =>
      makeCall(tenants[(done + i) % tenants.length] as Tenant, timeOf(done + i)),
    );
    const began = performance.now();
    await insertCalls(app.background.pool, batch);
    spent_ms += performance.now() - began;
  }
  return spent_ms;
}

/**
 * Wall time and CPU time of PostgreSQL to write the calls of one second. The server writes them over one connection, so it keeps
 * up while the wall time is below a second. On a busy machine that also has what other programs take; the CPU time does not.
 */
async function measureWriting(tenants: Tenant[]): Promise<{ wall_ms: number; cpu_ms: number }> {
  const now = app.now();
  const { rows } = await app.background.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and application_name like 'toolgate ____'`,
  );
  const cpu = () => cpuOf(rows.map(({ pid }) => pid));
  const before = cpu();
  const wall_ms = await write(tenants, MEASURED, (n) => now + (n * 1000) / PER_SECOND);
  const seconds = MEASURED / PER_SECOND;
  return { wall_ms: wall_ms / seconds, cpu_ms: (cpu() - before) / seconds };
}

async function time(question: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now();
    await question();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function sizeMb(expression: string): Promise<number> {
  const { rows } = await app.pool.query<{ size: number }>(`select (${expression})::float8 / 1e6 as size`);
  return rows[0]?.size ?? Number.NaN;
}
const rollupSize = () => sizeMb(`(select sum(pg_total_relation_size(relid)) from pg_partition_tree('call_rollups'))`);

const noNames: GroupNames[keyof GroupNames] = async () => new Map();
const names: GroupNames = { tool: noNames, api_key: noNames, member: noNames, integration: noNames };

try {
  const tenant = await makeTenant(5000);
  const empty = await sizeMb('pg_database_size(current_database())');
  const start = app.now() - DAY_MS;
  await write([tenant], STORED, (n) => start + (n * DAY_MS) / STORED);
  await app.background.pool.query('vacuum analyze');
  report(
    'size of the database with a million calls of one project',
    (await sizeMb('pg_database_size(current_database())')) - empty,
    ' MB',
  );
  report('of it rollups', await rollupSize(), ' MB');

  const { caller } = tenant;
  const analytics = (query: object) => time(() => readAnalytics(app, caller, query, names));
  report('last 24 h by tool with p50, p95 and p99', await analytics({ group_by: 'tool' }), ' ms', 100);
  report('last 24 h by member: 100 of 5,000 and the others', await analytics({ group_by: 'member' }), ' ms');
  report(
    'last 24 h by minute and tool: 1,440 minutes',
    await analytics({ group_by: 'tool', interval: 'minute' }),
    ' ms',
  );
  const page = (filter: object) => time(() => listCalls(app, caller, { limit: 20, cursor: undefined, ...filter }));
  const tool_id = tenant.tools[0] as string;
  report('a page of the call log, failed calls of one tool', await page({ tool_id, outcome: 'failed' }), ' ms', 50);
  report('a page of the call log, calls of one member', await page({ member_id: tenant.members[0] }), ' ms', 50);

  const busy = await measureWriting([tenant]);
  report('5,000 calls of one project are written in', busy.wall_ms, ' ms', 1000);
  report('CPU of PostgreSQL for them', busy.cpu_ms, ' ms');
  const tenants = await Promise.all(Array.from({ length: 20 }, () => makeTenant(200)));
  const spread = await measureWriting(tenants);
  report('5,000 calls of 20 projects are written in', spread.wall_ms, ' ms', 1000);
  report('CPU of PostgreSQL for them', spread.cpu_ms, ' ms');
} finally {
  await close();
  rmSync(data, { recursive: true, force: true });
}
finish();
