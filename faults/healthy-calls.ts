// One call of a tool that is not repeated, and calls of another project that must succeed while one misbehaves.

import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Replica } from './replica.ts';
import type { Tenant } from './tenant.ts';

/** `n`: the argument by which the call is found at the customer. */
type Called = { tenant: Tenant; tool_id: string; kind: string; n?: string };

export function callOnce(client: Client, replica: Replica, { tenant, tool_id, kind, n = kind }: Called) {
  const path = `/custom-tools/${tool_id}/execute`;
  return client.sendOnce(replica, { kind, name: kind, path, key: tenant.key, body: { arguments: { n } } });
}

/** Nine calls of another project, over every replica. Returns the longest. */
export async function callHealthy(
  client: Client,
  ledger: Ledger,
  replicas: readonly Replica[],
  tenant: Tenant,
): Promise<number> {
  let slowest_ms = 0;
  for (let i = 0; i < 9; i += 1) {
    const replica = replicas[i % replicas.length] as Replica;
    const { outcome, attempts } = await callOnce(client, replica, { tenant, tool_id: tenant.tool_id, kind: 'healthy' });
    const [attempt] = attempts;
    if (outcome !== 'done')
      ledger.problems.push(`a call of another project failed: ${attempt?.status} ${attempt?.code}`);
    if (attempt) slowest_ms = Math.max(slowest_ms, attempt.ended_at - attempt.started_at);
  }
  return slowest_ms;
}
