import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { insertProject, openTestDatabase } from '../../../../test/support/database/test-database.ts';
import type { Batch, BatchWriter } from '../../../database/batch-writer.ts';
import { createIntervalCounts } from '../../../database/interval-counts.ts';
import { rateLimitedCounts, readRateLimited } from './rate-limited-counts.ts';

const { database, pool, close } = await openTestDatabase();
after(close);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const day = Date.UTC(2026, 10, 15);
const all = { interval: 'day' as const, from: day - DAY_MS, to: day + 10 * DAY_MS };

/** Counts refused requests. */
function countRefusals(batch_writer: BatchWriter) {
  const counts = createIntervalCounts(batch_writer);
  return { add: (project_id: string, now: number) => counts.add(rateLimitedCounts, { project_id }, now) };
}

/** Collects what is buffered, so that a test decides when and how often it is written. */
function makeBuffer() {
  const rows: unknown[] = [];
  const write = async (batch: Batch<unknown>) => batch.write(pool, rows);
  let added: Batch<unknown> | undefined;
  const batch_writer = {
    add: (batch: Batch<never>, row: never) => {
      added = batch as Batch<unknown>;
      rows.push(row);
    },
  } as unknown as BatchWriter;
  return { rows, batch_writer, write: async () => added && write(added) };
}

test('a refusal counts in its minute, hour and day', async () => {
  const project_id = await insertProject(database);
  const { batch_writer, write } = makeBuffer();
  const counts = countRefusals(batch_writer);
  counts.add(project_id, day);
  counts.add(project_id, day + MINUTE_MS - 1);
  counts.add(project_id, day + MINUTE_MS);
  counts.add(project_id, day + DAY_MS);
  await write();
  const count = (interval: 'minute' | 'hour' | 'day', from: number, to: number) =>
    readRateLimited(database, project_id, { interval, from, to });
  assert.equal(await count('minute', day, day + MINUTE_MS), 2);
  assert.equal(await count('minute', day + MINUTE_MS, day + DAY_MS), 1);
  assert.equal(await count('hour', day, day + DAY_MS), 3);
  assert.equal(await count('day', day, day + DAY_MS), 3);
  assert.equal(await count('day', day, day + 2 * DAY_MS), 4);
});

test('a batch that is written again counts nothing twice, and what was counted meanwhile is not lost', async () => {
  const project_id = await insertProject(database);
  const { batch_writer, write } = makeBuffer();
  const counts = countRefusals(batch_writer);
  counts.add(project_id, day);
  await write();
  await write();
  counts.add(project_id, day + 1);
  await write();
  assert.equal(await readRateLimited(database, project_id, all), 2);
});

test('a thousand refusals of a project buffer three rows', () => {
  const { batch_writer, rows } = makeBuffer();
  const counts = countRefusals(batch_writer);
  for (let i = 0; i < 1000; i += 1) counts.add('prj_1', day + i);
  assert.equal(rows.length, 3);
});

test('two processes count the same project, each for itself, and a clock that goes back loses nothing', async () => {
  const project_id = await insertProject(database);
  for (const times of [[day, day + DAY_MS, day], [day]]) {
    const { batch_writer, write } = makeBuffer();
    const counts = countRefusals(batch_writer);
    for (const time of times) counts.add(project_id, time);
    await write();
  }
  assert.equal(await readRateLimited(database, project_id, all), 4);
});

test('the refusals of another project are not counted', async () => {
  assert.equal(await readRateLimited(database, await insertProject(database), all), 0);
});
