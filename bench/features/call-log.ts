// The call log: what recording a call costs compared with the call itself, whether 5,000 calls a second are written without
// falling behind, and how fast filtered pages of 1,000,000 calls are.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, openApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createBatchWriter } from '../../server/src/database/batch-writer.ts';
import { newId } from '../../server/src/database/ids.ts';
import { insertCalls, type NewCall } from '../../server/src/features/activity/analytics/store.ts';
import { createLog } from '../../server/src/log/log.ts';
import { insertMembers } from '../../server/test/support/database/insert-members.ts';
import { post, ROOT_KEY } from '../api.ts';
import { startCustomer } from '../customer.ts';
import { cpuPerRequest, drive, finish, report } from '../measure.ts';
import { cpuMs, main, startChild } from '../processes.ts';
import { sampleArguments, sampleTool } from '../sample-tool.ts';
import { median } from '../statistics.ts';

const STORED = 1_000_000;
const PER_SECOND = 5_000;
const SECONDS = 10;
const DAY_MS = 86_400_000;

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);

const MEMBERS = 1_000;
const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(22, '0')}`;

/** 20 tools, 10 keys, 5 integrations, 1,000 members; one call in 50 fails, one in 100,000 times out. */
function makeCall(project_id: string, i: number, created_at: number): NewCall {
  const error_code = i % 100_000 === 7 ? 'TOOL_TIMED_OUT' : i % 50 === 0 ? 'UPSTREAM_STATUS' : null;
  return {
    id: newId('call'),
    project_id,
    tool_id: idOf('tool', i % 20),
    tool_name: 'list_orders',
    tool_version: 1,
    integration_id: idOf('int', i % 5),
    api_key_id: idOf('key', i % 10),
    session_id: idOf('ses', i % 3_000),
    member_id: idOf('mem', i % MEMBERS),
    account_id: null,
    transport: i % 3 === 0 ? 'rest' : 'mcp',
    client_name: i % 3 === 0 ? null : 'Acme Assistant',
    protocol_version: i % 3 === 0 ? null : '2026-07-28',
    via: null,
    is_waiting: false,
    status: error_code === null ? 200 : 502,
    error_code,
    failed_step: error_code === null ? null : 'upstream',
    reason: null,
    remedy: null,
    upstream_status: error_code === null ? 200 : 503,
    duration_ms: 20 + (i % 97),
    waiting_ms: null,
    poll_count: null,
    task_ms: null,
    queue_ms: 0,
    connect_ms: 0,
    upstream_ms: 19 + (i % 97),
    request_bytes: 90,
    response_bytes: 800,
    result_tokens: 300,
    shaped_tokens: 300,
    policy: null,
    request_id: newId('req'),
    created_at,
  };
}

async function withApp<T>(environment: Record<string, string>, work: (app: App) => Promise<T>): Promise<T> {
  const config = readConfig({ ...environment, TOOLGATE_LOG_LEVEL: 'silent' });
  const { app, close } = await openApp(config, createLog('silent'));
  try {
    return await work(app);
  } finally {
    await close();
  }
}

/** Adds rows at the rate of a busy server. Returns the CPU of this process for each row, in microseconds. */
async function benchWriting({ background, log, now }: App): Promise<number> {
  const writer = createBatchWriter(background.pool, log);
  const oldest_ms: number[] = [];
  const calls = {
    name: 'calls',
    async write(pool: App['pool'], rows: NewCall[]) {
      await insertCalls(pool, rows);
      oldest_ms.push(now() - (rows[0] as NewCall).created_at);
    },
  };
  const rows = Array.from({ length: PER_SECOND * SECONDS }, (_, i) => makeCall('prj_rate', i, 0));
  const [began, cpu] = [performance.now(), cpuMs(process.pid)];
  for (let i = 0; i < rows.length; ) {
    const due = Math.min(rows.length, Math.floor(((performance.now() - began) / 1000) * PER_SECOND));
    for (; i < due; i += 1) writer.add(calls, Object.assign(rows[i] as NewCall, { created_at: now() }));
    await sleep(5);
  }
  const lasted = performance.now() - began;
  await writer.flush();
  report(`written a second, of ${PER_SECOND} offered`, (rows.length / lasted) * 1000, '');
  report('the oldest row when it was written, worst batch', Math.max(...oldest_ms), ' ms', 1_000);
  report('rows that were dropped', writer.dropped().calls ?? 0, '', 0);
  return ((cpuMs(process.pid) - cpu) * 1000) / rows.length;
}

/** Stores a million calls of one project in the order of time: two thirds of them in 29 days, a third in the last day. */
async function store(app: App, project_id: string): Promise<void> {
  const end = app.now();
  const timeOf = (part: number) =>
    part < 2 / 3 ? end - 30 * DAY_MS + part * 1.5 * 29 * DAY_MS : end - 3 * (1 - part) * DAY_MS;
  for (let i = 0; i < STORED; i += 1_000) {
    const calls = Array.from({ length: 1_000 }, (_, n) => makeCall(project_id, i + n, timeOf((i + n) / STORED)));
    await insertCalls(app.background.pool, calls);
  }
  await app.background.pool.query('vacuum analyze tool_calls');
  const { rows } = await app.pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = 'tool_calls'::regclass`,
  );
  report(`size of ${STORED} calls with indexes`, Number(rows[0]?.bytes) / 2 ** 20, ' MiB');
}

async function benchPages(url: string, key: string, project_id: string): Promise<void> {
  const day_ago = new Date(Date.now() - DAY_MS).toISOString();
  for (const [what, query] of [
    ['newest', ''],
    ['by tool', `&tool_id=${idOf('tool', 3)}`],
    ['by a tool without calls', '&tool_id=tool_none'],
    ['by member and outcome', `&member_id=${idOf('mem', 50)}&outcome=failed`],
    ['by a rare error code', '&error_code=TOOL_TIMED_OUT'],
    ['by request', '&request_id=req_none'],
    ['failed, last 24 h', `&outcome=failed&from=${day_ago}`],
    [
      'by key and integration, before 24 h',
      `&api_key_id=${idOf('key', 5)}&integration_id=${idOf('int', 0)}&to=${day_ago}`,
    ],
  ]) {
    const times: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      const began = performance.now();
      const path = `${url}/api/v1/projects/${project_id}/tool-calls?limit=50${query}`;
      const response = await fetch(path, { headers: { authorization: `Bearer ${key}` } });
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      await response.text();
      times.push(performance.now() - began);
    }
    report(`a page of 50 of ${STORED} calls, ${what}`, median(times), ' ms', 50);
  }
}

const environment = { TOOLGATE_DATA_DIR: join(data, 'store'), TOOLGATE_ROOT_KEY: ROOT_KEY };
const customer = await startCustomer(data);
try {
  const settings = {
    ...environment,
    TOOLGATE_EGRESS_ALLOW: customer.address,
    NODE_EXTRA_CA_CERTS: customer.authority_file,
  };
  const server = await startChild(main, settings);
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000 };
  const { id } = await post(server.url, '/projects', ROOT_KEY, { name: 'bench', ...plan });
  const { key } = await post(server.url, `/projects/${id}/api-keys`, ROOT_KEY, { name: 'b', permissions: ['admin'] });
  const tool = await post(server.url, '/custom-tools', key, sampleTool(0, customer.origin));
  const execute = () => ({
    path: `/api/v1/custom-tools/${tool.id}/execute`,
    method: 'POST' as const,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: sampleArguments }),
  });
  await drive(server.url, 20_000, execute);
  const call_us = await cpuPerRequest(server, 10_000, () => drive(server.url, 10_000, execute));
  await server.stop();

  const members = Array.from({ length: MEMBERS }, (_, n) => idOf('mem', n));
  await withApp(environment, ({ database }) => insertMembers(database, id, members));
  const row_us = await withApp(environment, benchWriting);
  report('CPU of a tool call', call_us, ' µs');
  report('CPU of writing its row', row_us, ' µs');
  report('CPU of writing compared with the call', (row_us / call_us) * 100, ' %', 5);

  await withApp(environment, (app) => store(app, id));
  const reader = await startChild(main, settings);
  await benchPages(reader.url, key, id);
  await reader.stop();
} finally {
  await customer.stop();
  rmSync(data, { recursive: true, force: true });
}
finish();
