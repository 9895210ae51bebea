// Data migrations that need the keys or SQL that is made by code: once each, in this order, before the server listens. Each is
// recorded in the transaction of its changes.

import type { App } from './app.ts';
import { transact } from './database/transact.ts';
import { rebuildDays } from './features/analytics/rebuild-rollups.ts';
import { signUnkeyedChains } from './features/audit/sign-unkeyed-chains.ts';
import { bindSecretsToDestination } from './features/custom-tools/reseal.ts';

/** `run` returns the number of changed rows. */
const steps: { name: string; run(app: App): Promise<number> }[] = [
  { name: 'tool secrets are bound to their destination', run: bindSecretsToDestination },
  { name: 'audit chains are signed', run: signUnkeyedChains },
  { name: 'tool calls have rollups', run: makeRollups },
];

export async function upgradeData(app: App): Promise<void> {
  for (const { name, run } of steps) {
    const changed = await transact({ ...app, ...app.background }, async (app) => {
      // Replicas that start at the same time wait here for the first.
      const { numInsertedOrUpdatedRows } = await app.database
        .insertInto('upgrades')
        .values({ name })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return 0;
      return run(app);
    });
    // A second warning for the same data means that someone reverted it in the database.
    if (changed > 0) app.log.warn({ step: name, changed }, 'stored data was upgraded');
  }
}

/** Of the calls that were recorded before there were rollups. */
async function makeRollups({ database, config }: App): Promise<number> {
  let made = 0;
  const { call_log_days } = config.retention;
  await rebuildDays({ database, call_log_days }, ({ corrected }) => {
    made += corrected;
  });
  return made;
}
