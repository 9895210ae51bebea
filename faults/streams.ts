// Log streams of a scenario, with a receiver at the customer.

import type { ReceivedRequest } from '../server/test/support/peers/fake-customer.ts';
import { waitUntil } from '../server/test/support/wait-until.ts';
import type { Ledger } from './ledger.ts';
import type { Stage } from './stage.ts';
import { asRoot, listAll, type Tenant, unique } from './tenant.ts';

export const SENT_WITHIN_MS = 90_000;

type Entry = { id: string; seq?: number };
export type Receiver = { source: 'tool_calls' | 'audit_log'; path: string; stream_id: string; accepted: Entry[] };

export async function openStream(
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
export function accept({ upstreams }: Stage, receiver: Receiver, hold?: Promise<void>): void {
  upstreams.good.respond(receiver.path, ({ body }: ReceivedRequest) => {
    receiver.accepted.push(...(JSON.parse(String(body)) as { entries: Entry[] }).entries);
    return hold ? { hold } : {};
  });
}

/** `loses`: PostgreSQL lost entries that had been sent. */
export async function readStream(
  stage: Stage,
  ledger: Ledger,
  tenant: Tenant,
  receiver: Receiver,
  { loses = false } = {},
): Promise<void> {
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
  if (unknown > 0 && !loses)
    ledger.problems.push(`the stream of ${source} has sent ${unknown} entries that are not in the log`);
  const isOrdered = first.every(({ seq = 0 }, i) => i === 0 || seq > (first[i - 1]?.seq ?? 0));
  if (source === 'audit_log' && !isOrdered && !loses)
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
