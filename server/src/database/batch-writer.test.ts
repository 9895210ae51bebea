import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { type Batch, createBatchWriter } from './batch-writer.ts';

type Log = Parameters<typeof createBatchWriter>[1];

/** Notes what is written; `fail` may throw instead. */
function notebook(fail: (attempt: number) => void = () => {}) {
  const written: number[][] = [];
  let attempts = 0;
  const batch: Batch<number> = {
    name: 'numbers',
    async write(_pool, rows) {
      attempts += 1;
      fail(attempts);
      written.push([...rows]);
    },
  };
  const logged: { dropped?: number; err?: Error }[] = [];
  const note = (fields: object) => logged.push(fields);
  const batch_writer = createBatchWriter(null as unknown as pg.Pool, { warn: note, error: note } as unknown as Log);
  return { batch_writer, batch, written, logged };
}

const away = () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

test('what is added before a flush is written once, in order, at most 1,000 at a time', async () => {
  const { batch_writer, batch, written } = notebook();
  const rows = Array.from({ length: 2_500 }, (_, i) => i);
  for (const row of rows) batch_writer.add(batch, row);
  assert.deepEqual(written, [], 'nobody waits for it');
  await batch_writer.flush();
  assert.deepEqual(written.flat(), rows);
  assert.deepEqual(
    written.map(({ length }) => length),
    [1000, 1000, 500],
  );
  await batch_writer.flush();
  assert.equal(written.length, 3);
});

test('while the database is away rows are kept, and written in their order when it is back', async () => {
  let isAway = true;
  const { batch_writer, batch, written, logged } = notebook(() => {
    if (isAway) throw away();
  });
  batch_writer.add(batch, 1);
  await batch_writer.flush();
  batch_writer.add(batch, 2);
  await batch_writer.flush();
  assert.deepEqual([written, logged], [[], []]);
  isAway = false;
  batch_writer.add(batch, 3);
  await batch_writer.flush();
  assert.deepEqual(written, [[1, 2, 3]]);
});

test('a batch that can never be written is dropped and told, and holds up nobody', async () => {
  const { batch_writer, batch, written, logged } = notebook((attempt) => {
    if (attempt === 1) throw new Error('no such column');
  });
  batch_writer.add(batch, 1);
  await batch_writer.flush();
  batch_writer.add(batch, 2);
  await batch_writer.flush();
  assert.deepEqual(written, [[2]]);
  assert.deepEqual(logged.map(({ dropped }) => dropped).filter(Boolean), [1]);
});

test('no more than 20,000 rows wait; those beyond are counted and told', async () => {
  let isAway = true;
  const { batch_writer, batch, written, logged } = notebook(() => {
    if (isAway) throw away();
  });
  for (let i = 0; i < 20_010; i += 1) batch_writer.add(batch, i);
  await batch_writer.flush();
  isAway = false;
  await batch_writer.flush();
  assert.equal(written.flat().length, 20_000);
  assert.deepEqual(
    logged.map(({ dropped }) => dropped),
    [10],
  );
});

test('a row that is added while others are written is written by the same flush', async () => {
  const { batch_writer, batch, written } = notebook((attempt) => {
    if (attempt === 1) batch_writer.add(batch, 2);
  });
  batch_writer.add(batch, 1);
  await batch_writer.flush();
  assert.deepEqual(written.flat(), [1, 2]);
});
