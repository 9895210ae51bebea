import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import { duringFault, type Ledger } from '../ledger.ts';
import type { Replica } from '../replica.ts';
import type { Stage } from '../stage.ts';
import { asRoot, makeTenant, type Tenant, unique } from '../tenant.ts';
import { underLoad } from '../under-load.ts';

const LIMIT = 30;
const CALLS = 90;
/** In the middle of the calls. */
const KILL_AFTER_MS = 30;

/** Under load, limits of tools are used up at all replicas at once, also while one of them is killed and started again. */
export const limitRaces = (stage: Stage, options: { seconds: number }): Promise<Ledger> =>
  underLoad(stage, options, async ({ ledger, client }) => {
    const exact = await makeLimitedTenant(stage);
    await callAtAllReplicas(stage, client, ledger, exact);
    const received = countReceived(stage, ledger, exact);
    if (received < LIMIT) ledger.problems.push(`only ${received} of ${LIMIT} calls passed the limit of the tool`);

    const crashed = await makeLimitedTenant(stage);
    await duringFault(ledger, async () => {
      const calls = callAtAllReplicas(stage, client, ledger, crashed);
      const killed = stage.replicas[0] as Replica;
      await sleep(KILL_AFTER_MS);
      await killed.stop('SIGKILL');
      await killed.start();
      await calls;
    });
    await callAtAllReplicas(stage, client, ledger, crashed);
    countReceived(stage, ledger, crashed);
  });

async function makeLimitedTenant(stage: Stage): Promise<Tenant> {
  const tenant = await makeTenant(stage);
  const body = { name: unique('limit'), per: 'project', limit: LIMIT, window_seconds: 3_600 };
  await asRoot(stage, 'POST', `/projects/${tenant.project_id}/limits`, { body });
  return tenant;
}

async function callAtAllReplicas({ replicas }: Stage, client: Client, ledger: Ledger, { tool_id, key }: Tenant) {
  const responses = await Promise.all(
    Array.from({ length: CALLS }, (_, i) =>
      client.send(replicas[i % replicas.length] as Replica, {
        path: `/custom-tools/${tool_id}/execute`,
        key,
        body: { arguments: { n: String(i) } },
      }),
    ),
  );
  // A replica that is killed sends no response, and one that starts refuses connections.
  const wrong = responses.filter(({ status }) => status !== null && ![200, 429, 503].includes(status));
  if (wrong.length > 0) ledger.problems.push(`${wrong.length} calls of ${CALLS} failed: ${wrong[0]?.status}`);
}

/** How many calls reached the API of the customer: never more than the limit. */
function countReceived({ upstreams }: Stage, ledger: Ledger, { tool_path }: Tenant): number {
  const received = upstreams.good.at(tool_path).length;
  ledger.wrongly_accepted += Math.max(0, received - LIMIT);
  return received;
}
