import { openSentinels } from '../../server/test/support/database/redis-sentinel.ts';
import { type RedisServer, withoutRedis } from '../../server/test/support/database/redis-server.ts';
import { duringFault } from '../ledger.ts';
import { useUpLimit } from '../limit-check.ts';
import type { Scenario } from '../scenario.ts';
import { openStage, type Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

let sentinels: Awaited<ReturnType<typeof openSentinels>>;
let [master, replica]: RedisServer[] = [];

async function open(): Promise<Stage> {
  sentinels = await openSentinels();
  [master, replica] = [sentinels.first, sentinels.second];
  const stage = await openStage({ redis_url: sentinels.url });
  return {
    ...stage,
    async close() {
      await stage.close();
      await sentinels.remove();
    },
  };
}

async function switchRoles(): Promise<void> {
  [master, replica] = [replica, master];
  await sentinels.untilMaster(master?.port as number);
}

/** Under load, the replica takes over as an operator asks: no limit is exceeded, and they are exact again within 5 s. */
const switchOver = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, async ({ ledger, client }) => {
    await duringFault(ledger, async () => {
      await sentinels.failOver(master?.port as number);
      await switchRoles();
      await sentinels.untilReplica(replica?.port as number);
    });
    await useUpLimit(stage, client, ledger, { counters: 1, within_ms: 5_000 });
  });

/** Under load, the master and a Sentinel are killed. Until another Redis is the master, each process counts on its own. */
const kill = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, async ({ ledger, client }) => {
    await duringFault(ledger, async () => {
      sentinels.killSentinel();
      await master?.kill();
      await useUpLimit(stage, client, ledger, { counters: stage.replicas.length });
      await switchRoles();
    });
    await useUpLimit(stage, client, ledger, { counters: 1, within_ms: 5_000 });
  });

const common = { group: 'failover', seconds: 9, skip: withoutRedis, open } as const;
export const sentinelFailovers: readonly Scenario[] = [
  { name: 'sentinel-switchover', title: 'Redis Sentinel: planned failover', ...common, run: switchOver },
  { name: 'sentinel-kill', title: 'Redis Sentinel: master and one Sentinel killed', ...common, run: kill },
];
