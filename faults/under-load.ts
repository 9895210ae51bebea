// Runs a fault in the middle of a load, then reads everything back. What most scenarios have in common.

import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../server/test/support/wait-until.ts';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { readBack } from './read-back.ts';
import { openLedger, type Stage } from './stage.ts';
import { makeTenant, type Tenant } from './tenant.ts';

type Running = { ledger: Ledger; client: Client; tenant: Tenant };

const SERVING_WITHIN_MS = 120_000;

/** A third of the load runs before the fault, the rest after it. */
export async function underLoad(
  stage: Stage,
  { seconds }: { seconds: number },
  cause: (running: Running) => Promise<void>,
): Promise<Ledger> {
  const { replicas } = stage;
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const load = startLoad({ client, ledger, tenant, replicas });
  await sleep((seconds * 1000) / 3);
  await cause({ ledger, client, tenant });
  const ended_at = performance.now();
  await untilServing(stage);
  // Readiness is a part of recovery: a load balancer sends nothing before it.
  ledger.recoveries_ms.push(performance.now() - ended_at);
  await sleep((seconds * 2000) / 3);
  await load.stop();
  await readBack(stage, ledger, tenant);
  await client.close();
  return ledger;
}

/** Until every replica is ready. */
export async function untilServing({ replicas }: Pick<Stage, 'replicas'>): Promise<void> {
  const all = async () => replicas.every(({ is_serving }) => is_serving);
  await waitUntil(all, SERVING_WITHIN_MS, 'every replica is ready');
}
