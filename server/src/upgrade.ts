// What an upgrade does with stored data that SQL alone cannot, as it needs the keys: once each, in this order, before the
// server listens. What has run is recorded in the transaction of its work.

import type { App } from './app.ts';
import { transact } from './database/transact.ts';
import { signUnkeyedChains } from './features/audit/sign-unkeyed-chains.ts';
import { bindSecretsToDestination } from './features/custom-tools/reseal.ts';

/** `run` answers how much it had to change. */
const steps: { name: string; run(app: App): Promise<number> }[] = [
  { name: 'tool secrets are bound to their destination', run: bindSecretsToDestination },
  { name: 'audit chains are signed', run: signUnkeyedChains },
];

export async function upgradeData(app: App): Promise<void> {
  for (const { name, run } of steps) {
    const changed = await transact({ ...app, ...app.background }, async (app) => {
      // Of several replicas that start at once the others wait here for the first.
      const { numInsertedOrUpdatedRows } = await app.database
        .insertInto('upgrades')
        .values({ name })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return 0;
      return run(app);
    });
    // Seen twice for the same data, somebody has undone it in the database.
    if (changed > 0) app.log.warn({ step: name, changed }, 'stored data was upgraded');
  }
}
