import type { Ledger } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import { openLedger, type Stage } from '../stage.ts';
import { makeTenant } from '../tenant.ts';

/** Under load, each of the three replicas is stopped (SIGTERM) and started again, one after the other: no request fails. */
export async function rollingRestart(stage: Stage): Promise<Ledger> {
  const { replicas } = stage;
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const load = startLoad({ client, ledger, tenant, replicas });
  for (const replica of replicas) {
    const began_at = performance.now();
    await replica.stop('SIGTERM');
    ledger.faults.push({ began_at, ended_at: performance.now() });
    await replica.start();
  }
  await load.stop();
  const failed = ledger.operations.flatMap(({ attempts }) => attempts).filter(({ status }) => (status ?? 599) >= 500);
  if (failed.length > 0) ledger.problems.push(`${failed.length} requests failed during the rolling restart`);
  await readBack(stage, ledger, tenant);
  await client.close();
  return ledger;
}
