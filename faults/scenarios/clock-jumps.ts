import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import type { Client } from '../client.ts';
import type { Ledger } from '../ledger.ts';
import { countOutages } from '../limit-check.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, makeTenant, type Tenant } from '../tenant.ts';

const REQUESTS = 20;
const LIMIT = 30;
const HOUR_MS = 3_600_000;

/** The wall clock of one replica jumps two hours forward and back: it answers like the others, whose clocks are right. */
export async function clockJumps(stage: Stage): Promise<Ledger> {
  const jumping = await stage.addReplica({ name: 'jumping', preload: './server/test/fixtures/jumping-clock.ts' });
  await jumping.start();
  const replicas = [jumping, ...stage.replicas.slice(0, 1)];
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const lasting = await makeKey(stage, tenant, HOUR_MS);
  const expired = await makeKey(stage, tenant, 1_000);
  await sleep(1_500);
  const limited = await makeTenant(stage, { plan: 'enterprise', requests_per_hour: LIMIT });
  const outages = countOutages({ replicas });
  let passed = 0;
  for (const signal of ['SIGUSR2', 'SIGURG', 'SIGURG', 'SIGUSR2'] as const) {
    await jump(jumping, signal);
    ledger.faults.push({ began_at: performance.now(), ended_at: performance.now() });
    for (let i = 0; i < REQUESTS; i += 1) {
      const replica = replicas[i % 2] as Replica;
      await expectStatus(client, ledger, replica, { tenant, key: lasting, status: 200 });
      await expectStatus(client, ledger, replica, { tenant, key: expired, status: 401 });
      passed += (await client.send(replica, readProject(limited, limited.key))).status === 200 ? 1 : 0;
    }
  }
  // Redis that does not answer for 50 ms, on a busy machine, counts as unavailable: then each process counts on its own.
  const isExact = countOutages({ replicas }) === outages;
  if (!isExact) ledger.notes.push('the hourly limit was not judged: Redis was too slow meanwhile');
  if (isExact && passed > LIMIT) ledger.wrongly_accepted += passed - LIMIT;
  if (passed < LIMIT) ledger.problems.push(`only ${passed} of ${LIMIT} requests passed the hourly limit`);
  await jumping.stop('SIGTERM');
  await client.close();
  return ledger;
}

async function makeKey(stage: Stage, { project_id }: Tenant, valid_ms: number): Promise<string> {
  const expires_at = new Date(Date.now() + valid_ms).toISOString();
  const body = { name: 'expiring', permissions: ['read'], expires_at };
  return (await asRoot(stage, 'POST', `/projects/${project_id}/api-keys`, { body })).key;
}

async function jump(replica: Replica, signal: NodeJS.Signals): Promise<void> {
  const count = () => replica.output().split('clock jumped').length;
  const before = count();
  replica.signal(signal);
  await waitUntil(async () => count() > before, 10_000, 'the clock has jumped');
}

const readProject = ({ project_id }: Tenant, key: string) => ({ path: `/projects/${project_id}`, key });

type Expected = { tenant: Tenant; key: string; status: 200 | 401 };

async function expectStatus(client: Client, ledger: Ledger, replica: Replica, { tenant, key, status }: Expected) {
  const name = status === 200 ? 'valid key' : 'expired key';
  const { attempts } = await client.sendOnce(replica, { kind: 'read', name, ...readProject(tenant, key) });
  const found = attempts[0]?.status;
  // 429: an address with many failed credentials in a minute.
  if (found === status || (status === 401 && found === 429)) return;
  if (status === 401 && found === 200) ledger.wrongly_accepted += 1;
  else ledger.problems.push(`replica ${replica.name}: ${name} got ${found}`);
}
