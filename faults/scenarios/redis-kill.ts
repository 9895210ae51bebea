import { setTimeout as sleep } from 'node:timers/promises';
import { duringFault, type Ledger } from '../ledger.ts';
import { useUpLimit } from '../limit-check.ts';
import type { Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

const DOWN_MS = 3_000;

/** Under load, Redis is killed and is back, empty, 3 s later. Meanwhile each process counts on its own. */
export const redisKill = (stage: Stage, options: { seconds: number }): Promise<Ledger> =>
  underLoad(stage, options, async ({ ledger, client }) => {
    await duringFault(ledger, async () => {
      await stage.redis?.kill();
      await useUpLimit(stage, client, ledger, { counters: stage.replicas.length });
      await sleep(DOWN_MS);
      await stage.redis?.start();
    });
    await useUpLimit(stage, client, ledger, { counters: 1, within_ms: 5_000 });
  });
