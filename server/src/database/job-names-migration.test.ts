import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEarlierSchema } from '../../test/migrate-from.ts';

const { client, migrateBefore } = await openEarlierSchema('0016');

test('a job that is leased while the columns are renamed keeps its lease and its fencing token', async () => {
  await client.query(`
    insert into jobs (kind, subject, lane, state, run_at, takes) values
      ('delivery', 'leased', 'hook', 'taken', '2026-11-15T00:00:45Z', 3),
      ('delivery', 'waiting', 'hook', 'waiting', '2026-11-15T01:00:00Z', 0)`);
  await migrateBefore('0017');
  const { rows } = await client.query(
    `select subject, concurrency_key, state, run_at, fencing_token from jobs order by subject`,
  );
  assert.deepEqual(
    rows.map(({ run_at, ...row }) => ({ ...row, run_at: new Date(run_at).toISOString() })),
    [
      {
        subject: 'leased',
        concurrency_key: 'hook',
        state: 'claimed',
        fencing_token: 3,
        run_at: '2026-11-15T00:00:45.000Z',
      },
      {
        subject: 'waiting',
        concurrency_key: 'hook',
        state: 'waiting',
        fencing_token: 0,
        run_at: '2026-11-15T01:00:00.000Z',
      },
    ],
  );
});
