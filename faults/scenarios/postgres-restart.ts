import { duringFault } from '../ledger.ts';
import type { Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

/** Under load, PostgreSQL is restarted: its sessions end and it refuses connections until it runs again. */
export const postgresRestart = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, ({ ledger }) =>
    duringFault(ledger, async () => {
      await stage.postgres.stop('SIGINT');
      await stage.postgres.start();
    }),
  );
