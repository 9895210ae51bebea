import { setTimeout as sleep } from 'node:timers/promises';
import { duringFault, type Ledger } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { makeTenant } from '../tenant.ts';

const EVERY_MS = 10_000;

/** Under load, one of the three replicas is killed (SIGKILL) every 10 s and started again. */
export async function killReplicas(stage: Stage, { seconds }: { seconds: number }): Promise<Ledger> {
  const { replicas } = stage;
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const load = startLoad({ client, ledger, tenant, replicas });
  const until = performance.now() + seconds * 1000;
  const interval_ms = Math.min(EVERY_MS, (seconds * 1000) / 2);
  let starts_ms = 0;
  let kills = 0;
  await sleep(interval_ms / 4);
  for (; performance.now() < until; kills += 1) {
    const next_at = performance.now() + interval_ms;
    const replica = replicas[kills % replicas.length] as Replica;
    await duringFault(ledger, () => replica.stop('SIGKILL'));
    const killed_at = performance.now();
    await replica.start();
    starts_ms = Math.max(starts_ms, performance.now() - killed_at);
    await sleep(Math.max(0, Math.min(next_at, until) - performance.now()));
  }
  await load.stop();
  await readBack(stage, ledger, tenant);
  await client.close();
  ledger.notes.push(`${kills} kills; a killed replica served again after at most ${(starts_ms / 1000).toFixed(1)} s`);
  return ledger;
}
