// Counts requests of the rate limits in PostgreSQL, exactly and for all processes. The function take_requests() is in the
// migration 0003.

import type pg from 'pg';

const MAX_ROWS_PER_RUN = 10_000;
const KEEP_MS = 3_660_000;

type Question = { about: { quota_group_id: string; limit: number; is_read: boolean }; wanted: number };
type Counted = { granted: number; used: number; now: number; resets_at: number | null };
type Row = Omit<Counted, 'now'> & { number: number; now_ms: number };

/** Returns the counts in the order of the questions. */
export function createRequestLog(pool: pg.Pool): (questions: Question[]) => Promise<Counted[]> {
  return async (questions) => {
    const { rows } = await pool.query<Row>({
      name: 'take_requests',
      text: 'select number, granted, used, now_ms, resets_at from take_requests($1, $2, $3)',
      values: [
        questions.map(({ about }) => about.quota_group_id),
        questions.map(({ about, wanted }) => (about.is_read ? 0 : wanted)),
        questions.map(({ about }) => about.limit),
      ],
    });
    const counted: Counted[] = [];
    for (const { number, granted, used, now_ms, resets_at } of rows)
      counted[number - 1] = { granted, used, now: now_ms, resets_at };
    return counted;
  };
}

/** Retention: requests of more than an hour ago have no effect. Returns whether there are more to delete. */
export async function applyRequestLogRetention(pool: pg.Pool, now: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from request_log where ctid = any(array(select ctid from request_log where first_ms < $1 limit $2))`,
    [now - KEEP_MS, MAX_ROWS_PER_RUN],
  );
  return rowCount === MAX_ROWS_PER_RUN;
}
