// Counts requests of the rate limits in PostgreSQL, exactly and for all processes. The function take_requests() is in the
// migration 0003.

import type pg from 'pg';

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
