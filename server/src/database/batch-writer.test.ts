import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { type Batch, createBatchWriter } from './batch-writer.ts';

type Log = Parameters<typeof createBatchWriter>[1];

/** A batch writer that records the written rows; `fail` may throw instead. */
function recordWrites(fail: (attempt: number) => void = () => {}) {
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
  const record = (fields: object) => logged.push(fields);
  const batch_writer = createBatchWriter(null as unknown as pg.Pool, { warn: record, error: record } as unknown as Log);
  return { batch_writer, batch, written, logged };
}

const unavailable = () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

test('rows added before a flush are written once, in order, at most 1,000 at a time', async () => {
  const { batch_writer, batch, written } = recordWrites();
  const rows = Array.from({ length: 2_500 }, (_, i) => i);
  for (const row of rows) batch_writer.add(batch, row);
  assert.deepEqual(written, [], 'add does not write');
  await batch_writer.flush();
  assert.deepEqual(written.flat(), rows);
  assert.deepEqual(
    written.map(({ length }) => length),
    [1000, 1000, 500],
  );
  await batch_writer.flush();
  assert.equal(written.length, 3);
});

test('while the database is unavailable rows are buffered, and written in order afterwards', async () => {
  let isUnavailable = true;
  const { batch_writer, batch, written, logged } = recordWrites(() => {
    if (isUnavailable) throw unavailable();
  });
  batch_writer.add(batch, 1);
  await batch_writer.flush();
  batch_writer.add(batch, 2);
  await batch_writer.flush();
  assert.deepEqual([written, logged], [[], []]);
  isUnavailable = false;
  batch_writer.add(batch, 3);
  await batch_writer.flush();
  assert.deepEqual(written, [[1, 2, 3]]);
});

test('a row that can never be written is dropped and logged, and blocks no other', async () => {
  const { batch_writer, batch, written, logged } = recordWrites((attempt) => {
    if (attempt === 1) throw new Error('no such column');
  });
  batch_writer.add(batch, 1);
  await batch_writer.flush();
  batch_writer.add(batch, 2);
  await batch_writer.flush();
  assert.deepEqual(written, [[2]]);
  assert.deepEqual(logged.map(({ dropped }) => dropped).filter(Boolean), [1]);
});

test('at most 20,000 rows are buffered; the oldest are dropped, counted and logged', async () => {
  let isUnavailable = true;
  const { batch_writer, batch, written, logged } = recordWrites(() => {
    if (isUnavailable) throw unavailable();
  });
  for (let i = 0; i < 20_010; i += 1) batch_writer.add(batch, i);
  await batch_writer.flush();
  isUnavailable = false;
  await batch_writer.flush();
  assert.deepEqual(
    written.flat(),
    Array.from({ length: 20_000 }, (_, i) => i + 10),
  );
  assert.deepEqual(
    logged.map(({ dropped }) => dropped),
    [10],
  );
  assert.deepEqual(batch_writer.dropped(), { numbers: 10 });
});

test('a row that is added while others are written is written by the same flush', async () => {
  const { batch_writer, batch, written } = recordWrites((attempt) => {
    if (attempt === 1) batch_writer.add(batch, 2);
  });
  batch_writer.add(batch, 1);
  await batch_writer.flush();
  assert.deepEqual(written.flat(), [1, 2]);
});

test('rows that are added while a batch fails drop the oldest rows of that batch', async () => {
  let isUnavailable = true;
  const { batch_writer, batch, written } = recordWrites((attempt) => {
    if (attempt === 1) for (let i = 1_000; i < 21_500; i += 1) batch_writer.add(batch, i);
    if (isUnavailable) throw unavailable();
  });
  for (let i = 0; i < 1_000; i += 1) batch_writer.add(batch, i);
  await batch_writer.flush();
  isUnavailable = false;
  await batch_writer.flush();
  assert.deepEqual([written.flat()[0], written.flat().length], [1_500, 20_000]);
  assert.deepEqual(batch_writer.dropped(), { numbers: 1_500 });
});

test('a batch of large rows has its own limits', async () => {
  const { batch_writer, batch, written } = recordWrites();
  const large = { ...batch, max_buffered_rows: 5, max_batch_rows: 2 };
  for (let i = 0; i < 7; i += 1) batch_writer.add(large, i);
  await batch_writer.flush();
  assert.deepEqual(written, [[2, 3], [4, 5], [6]]);
});
