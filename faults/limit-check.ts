// Uses up the hourly limit of a new project on all replicas at once, and counts how many requests pass.

import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Replica } from './replica.ts';
import type { Stage } from './stage.ts';
import { makeTenant } from './tenant.ts';

const LIMIT = 20;
const REQUESTS = 90;
const GIVE_UP_MS = 30_000;

/**
 * `counters`: how many processes count on their own; each may let the whole limit pass. `within_ms`: how long the limit may still
 * be counted so before it is exact; without it, the first try has to be right.
 */
export async function useUpLimit(
  stage: Stage,
  client: Client,
  ledger: Ledger,
  { counters, within_ms = 0 }: { counters: number; within_ms?: number },
): Promise<void> {
  const began_at = performance.now();
  for (;;) {
    const started_ms = performance.now() - began_at;
    const outages = countOutages(stage);
    const passed = await countPassed(stage, client, ledger);
    // Redis that does not answer for 50 ms, on a busy machine, counts as unavailable: the processes counted on their own.
    if (counters === 1 && countOutages(stage) > outages && performance.now() - began_at < GIVE_UP_MS) continue;
    if (passed === LIMIT * counters) {
      if (within_ms > 0) ledger.notes.push(`limits were exact again after ${Math.round(started_ms)} ms`);
      return;
    }
    if (started_ms < within_ms) continue;
    if (passed > LIMIT * counters) ledger.wrongly_accepted += passed - LIMIT * counters;
    else if (passed < LIMIT) ledger.problems.push(`only ${passed} of ${LIMIT} requests passed the hourly limit`);
    return;
  }
}

/** How often a replica noticed that Redis is unavailable. */
export const countOutages = ({ replicas }: Pick<Stage, 'replicas'>) =>
  replicas.reduce((sum, { output }) => sum + output().split('Redis is unavailable').length - 1, 0);

async function countPassed(stage: Stage, client: Client, ledger: Ledger): Promise<number> {
  const { replicas } = stage;
  const { project_id, key } = await makeTenant(stage, { plan: 'enterprise', requests_per_hour: LIMIT });
  const responses = await Promise.all(
    Array.from({ length: REQUESTS }, (_, i) =>
      client.send(replicas[i % replicas.length] as Replica, { path: `/projects/${project_id}`, key }),
    ),
  );
  const wrong = responses.filter(({ status }) => status !== 200 && status !== 429);
  if (wrong.length > 0) ledger.problems.push(`${wrong.length} requests of ${REQUESTS} failed: ${wrong[0]?.status}`);
  return responses.filter(({ status }) => status === 200).length;
}
