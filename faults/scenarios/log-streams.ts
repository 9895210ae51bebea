import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { duringFault, type Ledger } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { accept, openStream, type Receiver, readStream, SENT_WITHIN_MS } from '../streams.ts';
import { asRoot, makeTenant, type Tenant } from '../tenant.ts';

/**
 * Two streams send both logs to a receiver that is down for an hour of their time, while replicas are killed (SIGKILL) under load,
 * once in the middle of a batch: everything arrives, the audit log in the order of its chain, and repetitions have the same ids.
 */
export async function logStreams(stage: Stage, { seconds }: { seconds: number }): Promise<Ledger> {
  const { replicas } = stage;
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const receivers = [await openStream(stage, tenant, 'tool_calls'), await openStream(stage, tenant, 'audit_log')];
  const load = startLoad({ client, ledger, tenant, replicas });
  const pause_ms = (seconds * 1000) / 4;

  // Down for an hour, as the streams see it, and a replica is killed meanwhile.
  for (const { path } of receivers) stage.upstreams.good.respond(path, { status: 503 });
  await waitUntil(() => isFailing(stage, tenant), SENT_WITHIN_MS, 'the streams fail');
  await passAnHour(stage, receivers);
  await sleep(pause_ms);
  await killAndStart(ledger, replicas[0] as Replica);

  // Back, and the replicas are killed one after the other: the first while the receiver holds a batch that it has accepted.
  const held = Promise.withResolvers<void>();
  for (const receiver of receivers) accept(stage, receiver, held.promise);
  await waitUntil(
    async () => receivers.every(({ accepted }) => accepted.length > 0),
    SENT_WITHIN_MS,
    'a batch is held',
  );
  for (const replica of replicas) await killAndStart(ledger, replica);
  held.resolve();
  for (const receiver of receivers) accept(stage, receiver);
  await sleep(pause_ms);
  await load.stop();
  await readBack(stage, ledger, tenant);
  for (const receiver of receivers) await readStream(stage, ledger, tenant, receiver);
  await client.close();
  return ledger;
}

async function killAndStart(ledger: Ledger, replica: Replica): Promise<void> {
  await duringFault(ledger, () => replica.stop('SIGKILL'));
  await replica.start();
}

async function isFailing(stage: Stage, { project_id }: Tenant): Promise<boolean> {
  const { data } = await asRoot(stage, 'GET', `/projects/${project_id}/log-streams`);
  return data.every(({ last_error }: { last_error: { status: number } | null }) => last_error?.status === 503);
}

/** Processes follow the clock of the database, which cannot be set: every time that the streams have stored moves back instead. */
async function passAnHour({ postgres }: Stage, receivers: Receiver[]): Promise<void> {
  const ids = receivers.map(({ stream_id }) => stream_id);
  const hour = `- interval '1 hour'`;
  await postgres.query(
    `update log_streams set cursor_at = cursor_at ${hour}, flushed_at = flushed_at ${hour},
       failing_since = failing_since ${hour} where id = any($1)`,
    [ids],
  );
  await postgres.query(`update jobs set run_at = run_at ${hour} where state = 'waiting' and subject = any($1)`, [ids]);
}
