// Makes the rollups equal to the calls they were made from. One statement compares both for a project and a day, and adds the
// difference. Servers that record calls meanwhile add to the same rows, so nothing is locked and no call is lost.

import { intervals } from '@toolgate/contract/analytics/rules.ts';
import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { DAY_MS, keptSince } from './intervals.ts';
import { addRollups, countedColumns, rollupDifferences, rollupsOf } from './rollup-sql.ts';

/** The advisory lock of a rebuild. Any constant that nothing else locks, in decimal: PostgreSQL 15 reads no hexadecimal. */
export const REBUILD_LOCK = 7_406_812;

type Rebuild = { database: Database; call_log_days: number };
/** `corrected` rollups were wrong or missing. */
export type RebuiltDay = { day: string; projects: number; corrected: number };

/** Only one at a time: two would add the same difference. */
export async function rebuildRollups(
  { database, call_log_days }: Rebuild,
  onDay: (rebuilt: RebuiltDay) => void,
): Promise<void> {
  await database.connection().execute(async (database) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_lock(${REBUILD_LOCK}) as acquired`.execute(database);
    if (!rows[0]?.acquired) throw new Error('another rebuild is running');
    try {
      await rebuildDays({ database, call_log_days }, onDay);
    } finally {
      await sql`select pg_advisory_unlock(${REBUILD_LOCK})`.execute(database);
    }
  });
}

/** The caller makes sure that no other rebuild runs. */
async function rebuildDays({ database, call_log_days }: Rebuild, onDay: (rebuilt: RebuiltDay) => void): Promise<void> {
  let { day, now } = await firstDay(database);
  if (day === null) return;
  for (; day <= now; day += DAY_MS) {
    now = await databaseNow(database);
    // The log of this day may be dropped at any time. Without it the rollups would be taken for wrong.
    if (day <= now - call_log_days * DAY_MS) continue;
    const project_ids = await projectsOf(database, day);
    let corrected = 0;
    for (const project_id of project_ids) corrected += await rebuildDay(database, project_id, day, now);
    onDay({ day: new Date(day).toISOString().slice(0, 10), projects: project_ids.length, corrected });
  }
}

const time = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;

async function databaseNow(database: Database): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now`.execute(database);
  return rows[0]?.now ?? 0;
}

/** The first day with calls, or null. */
async function firstDay(database: Database): Promise<{ day: number | null; now: number }> {
  const { rows } = await sql<{ day: number | null }>`
    select extract(epoch from date_trunc('day', min(created_at), 'UTC'))::float8 * 1000 as day
    from tool_calls`.execute(database);
  return { day: rows[0]?.day ?? null, now: await databaseNow(database) };
}

/** A project without calls on that day is left as it is. */
async function projectsOf(database: Database, day: number): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select distinct project_id from tool_calls
    where created_at >= ${time(day)} and created_at < ${time(day + DAY_MS)} order by project_id`.execute(database);
  return rows.map(({ project_id }) => project_id);
}

/** Returns how many rollups were corrected. */
async function rebuildDay(database: Database, project_id: string, day: number, now: number): Promise<number> {
  const kept = intervals.filter((interval) => day >= keptSince(interval, now));
  const { numAffectedRows } = await sql`
    with calls as (
      select ${sql.raw(countedColumns)}
      from tool_calls
      where project_id = ${project_id} and created_at >= ${time(day)} and created_at < ${time(day + DAY_MS)}
    ),
    stored as (
      select project_id, interval, dimension, start, group_id, calls, errors, waiting, histogram
      from call_rollups
      where project_id = ${project_id} and start >= ${time(day)} and start < ${time(day + DAY_MS)}
    ),
    ${sql.raw(rollupsOf('calls'))}, ${sql.raw(rollupDifferences)},
    kept_differences as (
      select project_id, interval, dimension, start, group_id, calls, errors, waiting, histogram
      from differences where interval = any(${kept})
    )
    ${sql.raw(addRollups('kept_differences'))}`.execute(database);
  // What had no calls has none left. A server that adds calls at the same time makes this condition false.
  await sql`delete from call_rollups
    where project_id = ${project_id} and start >= ${time(day)} and start < ${time(day + DAY_MS)} and calls = 0
  `.execute(database);
  return Number(numAffectedRows ?? 0n);
}
