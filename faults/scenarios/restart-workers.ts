import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import type { Ledger } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { makeTenant } from '../tenant.ts';

const REPLACED_WITHIN_MS = 180_000;

/** Under load, two workers that share a port are replaced one after the other (SIGHUP): no request fails. */
export async function restartWorkers(stage: Stage, { seconds }: { seconds: number }): Promise<Ledger> {
  const server = await stage.addReplica({ name: 'workers', environment: { TOOLGATE_WORKERS: '2' } });
  await server.start();
  const replicas = [server];
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const load = startLoad({ client, ledger, tenant, replicas });
  await sleep((seconds * 1000) / 3);
  const before = workersOf(server);
  server.signal('SIGHUP');
  const isReplaced = async () =>
    workersOf(server).length === 2 && !workersOf(server).some((pid) => before.includes(pid));
  await waitUntil(isReplaced, REPLACED_WITHIN_MS, 'both workers are replaced').catch((error: Error) => {
    ledger.problems.push(error.message);
  });
  await sleep((seconds * 1000) / 3);
  await load.stop();
  const failed = ledger.operations.flatMap(({ attempts }) => attempts).filter(({ status }) => (status ?? 599) >= 500);
  if (failed.length > 0) ledger.problems.push(`${failed.length} requests failed while the workers were replaced`);
  await readBack(stage, ledger, tenant);
  await server.stop('SIGTERM');
  await client.close();
  return ledger;
}

function workersOf(server: Replica): number[] {
  const pid = server.pid();
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
