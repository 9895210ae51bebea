// The load under which faults happen: keys are created and revoked, a tool is called, a tool is read. Each operation has a name that
// is found again wherever it had an effect.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { type Ledger, REVOKE_WITHIN_MS } from './ledger.ts';
import type { Replica } from './replica.ts';
import type { Tenant } from './tenant.ts';

export type Load = { stop(): Promise<void> };

export type LoadOptions = {
  client: Client;
  ledger: Ledger;
  tenant: Tenant;
  replicas: readonly Replica[];
  workers?: number;
  /** Between two operations of a worker. */
  pause_ms?: number;
};

export function startLoad(options: LoadOptions): Load {
  const { workers = 6 } = options;
  const state = {
    isOver: false,
    count: 0,
    revocable: [] as { id: string; key: string }[],
    checks: [] as Promise<void>[],
  };
  const running = Array.from({ length: workers }, () => work(options, state));
  return {
    async stop() {
      state.isOver = true;
      await Promise.all(running);
      await Promise.all(state.checks);
    },
  };
}

type State = { isOver: boolean; count: number; revocable: { id: string; key: string }[]; checks: Promise<void>[] };

async function work(options: LoadOptions, state: State): Promise<void> {
  while (!state.isOver) {
    state.count += 1;
    const turn = state.count % 10;
    const name = `n${state.count}`;
    if (turn < 4) await createKey(options, state, name);
    else if (turn < 8) await callTool(options, name);
    else if (turn === 8) await readTool(options, name);
    else await revokeKey(options, state, name);
    await sleep(options.pause_ms ?? 40);
  }
}

async function createKey({ client, tenant }: LoadOptions, state: State, name: string): Promise<void> {
  const { outcome, body } = await client.perform({
    kind: 'key',
    name,
    path: `/projects/${tenant.project_id}/api-keys`,
    key: tenant.key,
    body: { name, permissions: ['read'] },
    headers: { 'idempotency-key': name },
  });
  if (outcome === 'done') state.revocable.push({ id: body.id, key: body.key });
}

async function callTool({ client, tenant }: LoadOptions, name: string): Promise<void> {
  await client.perform({
    kind: 'call',
    name,
    path: `/custom-tools/${tenant.tool_id}/execute`,
    key: tenant.key,
    body: { arguments: { n: name } },
    headers: { 'idempotency-key': name },
    // A call that was interrupted keeps its key until the lease of 80 s has ended: its outcome stays unknown here.
    within_ms: 10_000,
  });
}

async function readTool({ client, tenant }: LoadOptions, name: string): Promise<void> {
  await client.perform({ kind: 'read', name, path: `/custom-tools/${tenant.tool_id}`, key: tenant.key });
}

async function revokeKey(options: LoadOptions, state: State, name: string): Promise<void> {
  const { client, tenant } = options;
  const { id, key } = state.revocable.shift() ?? {};
  if (id === undefined || key === undefined) return;
  const revoked = await client.perform({
    kind: 'revoke',
    name,
    method: 'POST',
    path: `/projects/${tenant.project_id}/api-keys/${id}/revoke`,
    key: tenant.key,
  });
  revoked.body = { id };
  if (revoked.outcome === 'done') state.checks.push(refusedEverywhere(options, key));
}

/** A request that is sent a second after the revocation was acknowledged is refused by every replica that answers. */
async function refusedEverywhere({ client, ledger, tenant, replicas }: LoadOptions, key: string): Promise<void> {
  await sleep(REVOKE_WITHIN_MS);
  for (const replica of replicas) {
    const { status } = await client.send(replica, { path: `/projects/${tenant.project_id}`, key });
    if (status === 200) ledger.wrongly_accepted += 1;
  }
}
