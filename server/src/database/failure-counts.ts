// Counts failed credentials by client network in PostgreSQL, for all processes together, in fixed windows.

import type pg from 'pg';

type Question = { about: string; wanted: number };
/** `count` includes these failures. */
type Counted = { count: number; ends_in_ms: number };
type Row = Counted & { key: string };

/** Adds the failures of each key, and returns the counts in the order of the questions. */
export function createFailureCounts(pool: pg.Pool, window_ms: number): (questions: Question[]) => Promise<Counted[]> {
  return async (questions) => {
    const { rows } = await pool.query<Row>({
      name: 'count_failures',
      // In the order of the keys, so that two statements do not wait for each other.
      text: `insert into failure_counts as known (key, count, ends_at)
             select key, added, clock_timestamp() + $3 * interval '1 millisecond'
             from unnest($1::text[], $2::integer[]) as failed (key, added) order by key
             on conflict (key) do update set
               count = excluded.count + case when known.ends_at > clock_timestamp() then known.count else 0 end,
               ends_at = case when known.ends_at > clock_timestamp() then known.ends_at else excluded.ends_at end
             returning key, count, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ends_in_ms`,
      values: [questions.map(({ about }) => about), questions.map(({ wanted }) => wanted), window_ms],
    });
    const by_key = new Map(rows.map((row) => [row.key, row]));
    return questions.map(({ about }) => by_key.get(about) as Row);
  };
}
