// Tables that are partitioned by day (UTC) of `created_at`. Partitions are created ahead. A row whose day has none, because the
// clock jumped or no job ran for days, gets it on demand: see withDayPartitions().

import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from './tables.ts';

const DAY_MS = 86_400_000;
/** Dropping a partition waits for readers of the table, and new readers wait behind it: not for long. */
const DROP_LOCK_TIMEOUT_MS = 500;
const CHECK_VIOLATION = '23514';

/** Creates the missing partitions of the days from `first` to `last`, in epoch milliseconds. */
export async function createDayPartitions(
  client: Pick<pg.Pool, 'query'>,
  tables: readonly string[],
  first: number,
  last: number,
): Promise<void> {
  const text = `select create_day_partition(name::regclass, day::date)
    from unnest($1::text[]) as name, generate_series($2::date, $3::date, interval '1 day') as day`;
  await client.query(text, [tables, dayOf(first), dayOf(last)]);
}

/** Runs `insert`. If a row has no partition, creates those of the days of all rows and runs it again. */
export async function withDayPartitions<T>(
  client: Pick<pg.Pool, 'query'>,
  table: string,
  rows: readonly { created_at: number }[],
  insert: () => Promise<T>,
): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    // PostgreSQL has no code of its own for it.
    if ((error as { code?: unknown }).code !== CHECK_VIOLATION) throw error;
    for (const created_at of new Set(rows.map(({ created_at }) => Math.floor(created_at / DAY_MS) * DAY_MS)))
      await createDayPartitions(client, [table], created_at, created_at);
    return insert();
  }
}

/** Drops the partitions of which every row is older than `before`. Returns how many. */
export async function dropDayPartitions(database: Database, table: string, before: number): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname < ${`${table}_${dayOf(before).replaceAll('-', '')}`}
    order by c.relname`.execute(database);
  for (const { name } of rows) {
    await database.transaction().execute(async (transaction) => {
      await sql`select set_config('lock_timeout', ${String(DROP_LOCK_TIMEOUT_MS)}, true)`.execute(transaction);
      await sql`drop table if exists ${sql.id(name)}`.execute(transaction);
    });
  }
  return rows.length;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
