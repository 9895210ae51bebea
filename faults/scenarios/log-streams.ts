import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from '../../server/test/support/peers/fake-customer.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { duringFault, type Ledger } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, listAll, makeTenant, type Tenant, unique } from '../tenant.ts';

const SENT_WITHIN_MS = 90_000;

type Entry = { id: string; seq?: number };
type Receiver = { source: 'tool_calls' | 'audit_log'; path: string; stream_id: string; accepted: Entry[] };

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

async function openStream(
  { upstreams, ...stage }: Stage,
  tenant: Tenant,
  source: Receiver['source'],
): Promise<Receiver> {
  const path = `/${unique('stream')}`;
  const body = { kind: 'https', source, endpoint: `${upstreams.good.url}${path}` };
  const { id } = await asRoot(stage, 'POST', `/projects/${tenant.project_id}/log-streams`, { body });
  return { source, path, stream_id: id, accepted: [] };
}

/** What it answers 200 to counts as accepted, also if the answer is held until its sender is gone. */
function accept({ upstreams }: Stage, receiver: Receiver, hold?: Promise<void>): void {
  upstreams.good.respond(receiver.path, ({ body }: ReceivedRequest) => {
    receiver.accepted.push(...(JSON.parse(String(body)) as { entries: Entry[] }).entries);
    return hold ? { hold } : {};
  });
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

async function readStream(stage: Stage, ledger: Ledger, tenant: Tenant, receiver: Receiver): Promise<void> {
  const { source, accepted } = receiver;
  const path = `/projects/${tenant.project_id}/${source === 'tool_calls' ? 'tool-calls' : 'audit-log'}`;
  const logged: string[] = (await listAll(stage, path)).filter(isStreamed(source)).map(({ id }) => id);
  const missing = () => {
    const ids = new Set(accepted.map(({ id }) => id));
    return logged.filter((id) => !ids.has(id)).length;
  };
  await waitUntil(async () => missing() === 0, SENT_WITHIN_MS, `the stream of ${source} has sent everything`).catch(
    () => {
      ledger.lost += missing();
      ledger.problems.push(`the stream of ${source} has not sent ${missing()} of ${logged.length} entries`);
    },
  );
  const first = [...new Map(accepted.toReversed().map((entry) => [entry.id, entry])).values()].toReversed();
  const known = new Set(logged);
  const unknown = first.filter(({ id }) => !known.has(id) && source === 'tool_calls').length;
  if (unknown > 0) ledger.problems.push(`the stream of ${source} has sent ${unknown} entries that are not in the log`);
  const isOrdered = first.every(({ seq = 0 }, i) => i === 0 || seq > (first[i - 1]?.seq ?? 0));
  if (source === 'audit_log' && !isOrdered)
    ledger.problems.push('audit entries did not arrive in the order of the chain');
  ledger.notes.push(
    `${source}: ${logged.length} entries arrived, ${accepted.length - first.length} of them again with the same id`,
  );
}

/** The audit log has entries from before the stream was created. */
const isStreamed = (source: Receiver['source']) => {
  let isBefore = false;
  // Newest first.
  return ({ action, target_id }: { action?: string; target_id?: string }) => {
    if (source === 'tool_calls') return true;
    const isStreamed = !isBefore;
    if (action === 'log_stream.created' && target_id !== undefined) isBefore = true;
    return isStreamed;
  };
};
