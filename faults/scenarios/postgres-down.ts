import { setTimeout as sleep } from 'node:timers/promises';
import { duringFault } from '../ledger.ts';
import type { Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

const DOWN_MS = 10_000;

/** Under load, PostgreSQL is down for 10 s. */
export const postgresDown = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, ({ ledger }) =>
    duringFault(ledger, async () => {
      await stage.postgres.stop('SIGINT');
      await sleep(DOWN_MS);
      await stage.postgres.start();
    }),
  );
