import { waitUntil } from '../../server/test/support/wait-until.ts';
import type { Ledger } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, makeTenant, type Tenant } from '../tenant.ts';
import { untilServing } from '../under-load.ts';

const REDELIVERED_WITHIN_MS = 60_000;

/**
 * A replica is stopped (SIGSTOP) in the middle of a delivery and goes on (SIGCONT) after another replica has made it again: the
 * event arrives with the same id, and the result of the late replica is discarded.
 */
export async function frozenWorker(stage: Stage): Promise<Ledger> {
  const { replicas, upstreams } = stage;
  const [frozen, ...others] = replicas as [Replica, ...Replica[]];
  const { ledger, client } = openLedger(others);
  const tenant = await makeTenant(stage);
  // The others are stopped meanwhile, so that it is the one that delivers.
  for (const replica of others) replica.signal('SIGSTOP');
  const held = Promise.withResolvers<void>();
  upstreams.good.respond(tenant.hook_path, { status: 200, hold: held.promise });
  const body = { name: 'frozen', permissions: ['read'] };
  const path = `/projects/${tenant.project_id}/api-keys`;
  const key = await asRoot({ replicas: [frozen] }, 'POST', path, { body });
  await waitUntil(async () => upstreams.good.at(tenant.hook_path).length === 1, 10_000, 'a delivery is in progress');
  upstreams.good.respond(tenant.hook_path, { status: 200 });
  frozen.signal('SIGSTOP');
  for (const replica of others) replica.signal('SIGCONT');
  const frozen_at = performance.now();
  ledger.faults.push({ began_at: frozen_at, ended_at: frozen_at });

  const load = startLoad({ client, ledger, tenant, replicas: others, workers: 3 });
  const idsOf = () => receivedIds(stage, tenant, key.id);
  await waitUntil(async () => idsOf().length === 2, REDELIVERED_WITHIN_MS, 'another replica delivers').catch(() => {
    ledger.lost += 1;
  });
  ledger.recoveries_ms.push(performance.now() - frozen_at);
  await load.stop();
  frozen.signal('SIGCONT');
  held.resolve();
  await untilServing(stage);
  await expectOneResult(stage, ledger, tenant);
  if (new Set(idsOf()).size !== 1) ledger.duplicated += 1;
  await readBack(stage, ledger, tenant);
  await client.close();
  return ledger;
}

function receivedIds({ upstreams }: Stage, { hook_path }: Tenant, key_id: string): string[] {
  const events = upstreams.good.at(hook_path).map(({ body }) => JSON.parse(String(body)));
  return events.filter(({ data }) => data.id === key_id).map(({ id }) => id);
}

/** The late replica reports a success too; only the one of the lease is saved. */
async function expectOneResult(stage: Stage, ledger: Ledger, { project_id, webhook_id }: Tenant): Promise<void> {
  const path = `/projects/${project_id}/webhooks/${webhook_id}/deliveries`;
  const [oldest] = (await asRoot(stage, 'GET', `${path}?limit=100`)).data.slice(-1);
  if (oldest.status !== 'succeeded') ledger.lost += 1;
  if (oldest.attempt_count !== 1) ledger.problems.push(`a delivery has ${oldest.attempt_count} results instead of 1`);
}
