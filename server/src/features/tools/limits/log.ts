// Counts calls against limits in PostgreSQL, exactly and for all processes. The function take_limits() is in the migration 0021,
// take_limits_of_members(), which counts nothing for members who were deleted, in 0036.

import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../../../database/tables.ts';

/** One limit that a call is counted against. */
export type Counted = { limit_id: string; subject_id: string; limit: number; window_ms: number; weight: number };

export type Taken = {
  /** Whether this limit allows the call. The call was counted if all of them do. */
  is_within: boolean;
  /** With the call, if it was counted. */
  used: number;
  /** By the clock of the database, in epoch milliseconds. */
  now_ms: number;
  /** When the call would pass, or when the oldest counted call expires. */
  resets_at: number;
  /** The first refusal within an hour. */
  is_first_refusal: boolean;
};

/** Returns for each call what became of each of its limits, in their order. */
export async function takeLimits(pool: pg.Pool, project_id: string, calls: Counted[][]): Promise<Taken[][]> {
  const entries = calls.flatMap((limits, call) => limits.map((counted) => ({ ...counted, call })));
  const hasMembers = entries.some(({ subject_id }) => subject_id.startsWith('mem_'));
  const name = hasMembers ? 'take_limits_of_members' : 'take_limits';
  const { rows } = await pool.query<Taken & { entry: number }>({
    name,
    text: `select entry, is_within, used, now_ms, resets_at, is_first_refusal from ${name}($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      project_id,
      entries.map(({ call }) => call),
      entries.map(({ limit_id }) => limit_id),
      entries.map(({ subject_id }) => subject_id),
      entries.map(({ limit }) => limit),
      entries.map(({ window_ms }) => window_ms),
      entries.map(({ weight }) => weight),
    ],
  });
  const taken: Taken[][] = calls.map(() => []);
  for (const { entry, ...each } of rows.sort((one, other) => one.entry - other.entry))
    taken[(entries[entry - 1] as (typeof entries)[0]).call]?.push(each);
  return taken;
}

type OfLimit = { project_id: string; limit_id: string; window_seconds: number };

/** The most used first. */
export async function selectUsage(database: Database, { project_id, limit_id, window_seconds }: OfLimit, most: number) {
  return database
    .selectFrom('limit_log')
    .select((of) => ['subject_id', of.fn.sum<string>('count').as('used')])
    .where('project_id', '=', project_id)
    .where('limit_id', '=', limit_id)
    .where(sql<boolean>`last_ms > extract(epoch from clock_timestamp()) * 1000 - ${window_seconds * 1000}::bigint`)
    .groupBy('subject_id')
    .orderBy('used', 'desc')
    .orderBy('subject_id')
    .limit(most)
    .execute()
    .then((rows) => rows.map(({ subject_id, used }) => ({ subject_id, used: Number(used) })));
}
