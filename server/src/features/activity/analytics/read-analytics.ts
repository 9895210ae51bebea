// Returns how many calls there were, how many failed and how long they took, from rollups.

import { setImmediate } from 'node:timers/promises';
import type { Analytics, AnalyticsQuery } from '@toolgate/contract/analytics/analytics.ts';
import type { Grouping } from '@toolgate/contract/analytics/rules.ts';
import { type Caller, hasPermission, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { addHistogram, type Histogram, newHistogram, parseHistogram, quantiles } from './histogram.ts';
import { DAY_MS, finestKept } from './intervals.ts';
import { type Period, periodBefore, readPeriod, tooFine } from './period.ts';
import { readRateLimited } from './rate-limited-counts.ts';
import { LONG_UNIT_MS } from './rollup-sql.ts';
import {
  countCalls,
  type Dimension,
  OTHER_GROUPS,
  periodOfCalls,
  type Question,
  type RollupRow,
  selectRollups,
  selectToolNamesFromCalls,
} from './rollup-store.ts';

const LIMITS = { max_groups: 100, max_rows: 20_000 };
/** Counting a call of the log costs about as much as a hundred from rollups: docs/design/observability.md. */
const MAX_CALLS_READ = 20_000;
const SHARES = [0.5, 0.95, 0.99];
const ROWS_PER_TURN = 1000;

/** The group of the calls that have no rollup in a dimension. */
const remainders: Partial<Record<Grouping, string>> = { outcome: 'succeeded', transport: 'rest' };

/** Returns the names of these ids of a project; those that it does not know are left out. */
type FindNames = (app: App, project_id: string, ids: readonly string[]) => Promise<Map<string, string>>;
/** Given by routes.ts: the features that have the names depend on this one. */
export type GroupNames = Record<'tool' | 'api_key' | 'member' | 'integration', FindNames>;

type Counts = { calls: number; errors: number; waiting: number; histogram: Histogram };
/** By start, in epoch milliseconds. */
type Totals = Map<number, Counts>;
type Bucket = Analytics['data'][number];

export async function readAnalytics(
  app: App,
  caller: Caller,
  { group_by, ...given }: AnalyticsQuery,
  names: GroupNames,
): Promise<Analytics> {
  const project_id = projectOf(caller).id;
  const now = app.now();
  const period = readPeriod(given, now);
  const before = periodBefore(period);
  const question = { dimension: group_by ?? null, period, before, now };
  const { rows, rate_limited, groupNames } = await readInTime(app, async (app) => {
    await checkCallsRead(app, project_id, question);
    const rows = await selectRollups(app.database, project_id, question, LIMITS);
    return {
      rows,
      rate_limited: {
        now: await readRateLimited(app.database, project_id, period),
        before: await readRateLimited(app.database, project_id, before),
      },
      groupNames: await findNames(app, project_id, group_by, rows, readableNames(caller, names)),
    };
  });
  const countsIn = (wanted: Dimension): Totals =>
    new Map(rows.filter(({ dimension }) => dimension === wanted).map((row) => [row.start, countsOf(row)]));
  const totals = countsIn('total');
  const waits = countsIn('waiting');
  const tasks = countsIn('task');
  const showTotals = (period: Period) => ({
    ...showCounts(sumOf(totals, period)),
    ...showWaits(sumOf(waits, period).histogram),
    ...showTasks(sumOf(tasks, period)),
  });
  return {
    object: 'analytics',
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    interval: period.interval,
    group_by: group_by ?? null,
    totals: { ...showTotals(period), rate_limited: rate_limited.now },
    previous: { ...showTotals(before), rate_limited: rate_limited.before },
    data: await showData({ group_by, rows, totals, period, groupNames }),
  };
}

/** Refuses what rollups lack and the call log has too much of, or not any more. */
async function checkCallsRead(app: App, project_id: string, question: Question): Promise<void> {
  const { dimension, now } = question;
  const period = periodOfCalls(question);
  if (!period) return;
  const calls = await countCalls(app.database, project_id, period, now);
  if (calls === 0) return;
  const finest = finestKept(period.from, now) === 'day' ? 'day' : 'hour';
  const by = dimension ? `by minute and ${dimension}` : 'by minute';
  if (calls > MAX_CALLS_READ)
    throw tooFine(`${by} at most ${MAX_CALLS_READ} calls are counted; there are ${calls}`, finest);
  // Partitions of the log are dropped by whole days.
  const kept_since = Math.floor(now / DAY_MS - app.config.retention.call_log_days) * DAY_MS;
  if (period.from < kept_since) throw tooFine(`${by} calls are counted only while the call log has them`, finest);
}

/** The external id of a member is for callers who may read members: others get the id in its place. */
export function readableNames(caller: Caller, names: GroupNames): GroupNames {
  if (hasPermission(caller, 'admin')) return names;
  return { ...names, member: async (_app, _project_id, ids) => new Map(ids.map((id) => [id, id])) };
}

function countsOf({ calls, errors, waiting, histogram }: RollupRow): Counts {
  return { calls, errors, waiting, histogram: parseHistogram(histogram) };
}

function sumOf(totals: Totals, { from, to }: Period): Counts {
  const sum: Counts = { calls: 0, errors: 0, waiting: 0, histogram: newHistogram() };
  for (const [start, counts] of totals) if (start >= from && start < to) addCounts(sum, counts);
  return sum;
}

function addCounts(sum: Counts, { calls, errors, waiting, histogram }: Counts, times: 1 | -1 = 1): void {
  sum.calls += times * calls;
  sum.errors += times * errors;
  sum.waiting += times * waiting;
  addHistogram(sum.histogram, histogram, times);
}

type Responded = {
  group_by: Grouping | undefined;
  rows: RollupRow[];
  totals: Totals;
  period: Period;
  groupNames: Map<string, string>;
};

/** The groups of each interval, and the calls of its total that are in none of them. Changes `totals`. */
async function showData({ group_by, rows, totals, period, groupNames }: Responded): Promise<Bucket[]> {
  const groups = rows.filter(({ dimension }) => dimension === group_by);
  const data: Bucket[] = [];
  for (const [i, row] of groups.entries()) {
    const counts = countsOf(row);
    const total = totals.get(row.start);
    if (total) addCounts(total, counts, -1);
    data.push(showBucket(row.start, row.group_id, groupNames.get(row.group_id) ?? null, counts));
    // Thousands of rows take a while: other requests go on meanwhile.
    if (i % ROWS_PER_TURN === ROWS_PER_TURN - 1) await setImmediate();
  }
  const remainder = (group_by && remainders[group_by]) ?? null;
  for (const [start, counts] of totals)
    if (start >= period.from && counts.calls > 0) data.push(showBucket(start, remainder, null, counts));
  return data.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : b.calls - a.calls));
}

async function findNames(
  app: App,
  project_id: string,
  group_by: Grouping | undefined,
  rows: RollupRow[],
  names: GroupNames,
): Promise<Map<string, string>> {
  const groups = rows.filter(({ dimension }) => dimension === group_by);
  const ids = [...new Set(groups.map(({ group_id }) => group_id))].filter((id) => id !== OTHER_GROUPS);
  if (ids.length === 0 || !group_by || !(group_by in names)) return new Map();
  const found = await names[group_by as keyof GroupNames](app, project_id, ids);
  const deleted = group_by === 'tool' ? ids.filter((id) => !found.has(id)) : [];
  if (deleted.length === 0) return found;
  return new Map([...(await selectToolNamesFromCalls(app.database, project_id, deleted)), ...found]);
}

const showBucket = (start: number, group: string | null, group_name: string | null, counts: Counts): Bucket => ({
  start: new Date(start).toISOString(),
  group,
  group_name,
  ...showCounts(counts),
});

function showCounts({ calls, errors, waiting, histogram }: Counts) {
  const [p50_ms = null, p95_ms = null, p99_ms = null] = quantiles(histogram, SHARES);
  return { calls, errors, waiting, p50_ms, p95_ms, p99_ms };
}

function showWaits(histogram: Histogram) {
  const [p50 = null, p95 = null] = quantiles(histogram, SHARES);
  return { waiting_p50_ms: inMs(p50), waiting_p95_ms: inMs(p95) };
}

function showTasks({ calls, histogram }: Counts) {
  const [p50 = null, p95 = null] = quantiles(histogram, SHARES);
  return { tasks: calls, task_p50_ms: inMs(p50), task_p95_ms: inMs(p95) };
}

const inMs = (units: number | null) => units && Math.round(units * LONG_UNIT_MS);
