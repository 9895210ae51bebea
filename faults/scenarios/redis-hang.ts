import { setTimeout as sleep } from 'node:timers/promises';
import { duringFault, type Ledger } from '../ledger.ts';
import { useUpLimit } from '../limit-check.ts';
import type { Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

const HANGS_MS = 3_000;

/** Under load, Redis stops answering (SIGSTOP) and goes on 3 s later. Meanwhile each process counts on its own. */
export const redisHang = (stage: Stage, options: { seconds: number }): Promise<Ledger> =>
  underLoad(stage, options, async ({ ledger, client }) => {
    await duringFault(ledger, async () => {
      stage.redis?.signal('SIGSTOP');
      await useUpLimit(stage, client, ledger, { counters: stage.replicas.length });
      await sleep(HANGS_MS);
      stage.redis?.signal('SIGCONT');
    });
    await useUpLimit(stage, client, ledger, { counters: 1, within_ms: 5_000 });
  });
