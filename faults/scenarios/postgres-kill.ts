import { duringFault } from '../ledger.ts';
import type { Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

/** Under load, all processes of PostgreSQL are killed (SIGKILL). It replays its log when it is started again. */
export const postgresKill = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, ({ ledger }) =>
    duringFault(ledger, async () => {
      await stage.postgres.stop('SIGKILL');
      await stage.postgres.start();
    }),
  );
