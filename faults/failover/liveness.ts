// Asks every replica whether it is alive, as Kubernetes does: whoever restarts what is not would restart all of them in a failover.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger.ts';
import type { Replica } from '../replica.ts';

const EVERY_MS = 250;
/** The timeout of the probe in the Helm chart. */
const WITHIN_MS = 5_000;

export function watchLiveness(replicas: readonly Replica[], ledger: Ledger): { stop(): Promise<void> } {
  let is_over = false;
  async function watch({ name, url }: Replica): Promise<void> {
    while (!is_over) {
      const is_alive = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(WITHIN_MS) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!is_alive) ledger.problems.push(`replica ${name} did not respond that it is alive`);
      await sleep(EVERY_MS);
    }
  }
  const watching = replicas.map(watch);
  return {
    async stop() {
      is_over = true;
      await Promise.all(watching);
    },
  };
}
