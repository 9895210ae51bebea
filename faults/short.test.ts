// The short version of `npm run faults`, for every change: the faults that are quick to cause and to recover from.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Ledger, toRow } from './ledger.ts';
import { killReplicas } from './scenarios/kill-replicas.ts';
import { postgresHalfOpen } from './scenarios/postgres-half-open.ts';
import { postgresKill } from './scenarios/postgres-kill.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
after(() => stage.close());

/** The times of a busy machine are not judged here, except that it recovers at all. */
function expectNothingBroken(ledger: Ledger): void {
  const { lost, duplicated, wrongly_accepted, acknowledged } = toRow(ledger);
  const found = { lost, duplicated, wrongly_accepted, problems: ledger.problems };
  assert.deepEqual(found, { lost: 0, duplicated: 0, wrongly_accepted: 0, problems: [] });
  assert.ok(acknowledged > 0);
}

test('kill -9 of one of three replicas under load loses and duplicates nothing', async () => {
  expectNothingBroken(await killReplicas(stage, { seconds: 2 }));
});

test('kill -9 of PostgreSQL under load loses and duplicates nothing', async () => {
  expectNothingBroken(await postgresKill(stage, { seconds: 2 }));
});

test('half-open connections to PostgreSQL under load lose and duplicate nothing', async () => {
  expectNothingBroken(await postgresHalfOpen(stage, { seconds: 3 }));
});
