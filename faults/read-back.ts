// Reads everything back after a scenario and compares it with the ledger: what was acknowledged exists, once; what was refused does
// not exist; what is unknown exists at most once.

import { waitUntil } from '../server/test/support/wait-until.ts';
import type { Ledger, Operation } from './ledger.ts';
import type { Stage } from './stage.ts';
import { listAll, type Tenant } from './tenant.ts';

/** Longer than the lease of a job whose worker is gone. */
const DELIVERED_WITHIN_MS = 70_000;

export async function readBack(stage: Stage, ledger: Ledger, tenant: Tenant): Promise<void> {
  await readKeys(stage, ledger, tenant);
  readCalls(stage, ledger, tenant);
  await readEvents(stage, ledger, tenant);
  readProcesses(stage, ledger);
}

const ofKind = ({ operations }: Ledger, kind: string) => operations.filter((operation) => operation.kind === kind);

function compare(ledger: Ledger, operation: Operation, found: number): void {
  if (operation.outcome === 'done' && found === 0) ledger.lost += 1;
  if (operation.outcome === 'failed' && found > 0) ledger.wrongly_accepted += 1;
  if (found > 1) ledger.duplicated += found - 1;
}

async function readKeys(stage: Stage, ledger: Ledger, { project_id }: Tenant): Promise<void> {
  const keys = await listAll(stage, `/projects/${project_id}/api-keys`);
  const idsByName = new Map<string, string[]>();
  for (const { id, name } of keys) idsByName.set(name, [...(idsByName.get(name) ?? []), id]);
  const isLostWithServer = ({ body }: Operation) => ledger.lost_with_server.has(body?.id);
  for (const operation of ofKind(ledger, 'key')) {
    const ids = idsByName.get(operation.name) ?? [];
    if (ids.length === 0 && isLostWithServer(operation)) {
      ledger.lost_by_postgres += 1;
      continue;
    }
    compare(ledger, operation, ids.length);
    if (operation.outcome === 'done' && ids.length === 1 && ids[0] !== operation.body.id) ledger.lost += 1;
    if (operation.outcome === 'failed') ledger.problems.push(`refused: ${describe(operation)}`);
  }
  const statusOf = new Map(keys.map(({ id, status }) => [id, status]));
  for (const operation of ofKind(ledger, 'revoke')) {
    if (operation.outcome !== 'done' || statusOf.get(operation.body.id) === 'revoked') continue;
    if (isLostWithServer(operation)) ledger.lost_by_postgres += 1;
    else ledger.lost += 1;
  }
}

/** The customer's API recognizes a repeated call by its Idempotency-Key, so that is what may not occur twice for one operation. */
function readCalls(stage: Stage, ledger: Ledger, { tool_path }: Tenant): void {
  const keysByName = new Map<string, Set<string>>();
  let repeated = 0;
  for (const { body, headers } of stage.upstreams.good.at(tool_path)) {
    const { n } = JSON.parse(String(body));
    const keys = keysByName.get(n) ?? new Set();
    const key = String(headers['idempotency-key']);
    if (keys.has(key)) repeated += 1;
    keysByName.set(n, keys.add(key));
  }
  for (const operation of ofKind(ledger, 'call')) {
    compare(ledger, operation, keysByName.get(operation.name)?.size ?? 0);
    if (operation.outcome === 'failed') ledger.problems.push(`refused: ${describe(operation)}`);
  }
  if (repeated > 0)
    ledger.notes.push(`${repeated} calls reached the customer's API again, with the same Idempotency-Key`);
}

/** Every key that exists has one event, which reaches the webhook: at least once, always with the same id. */
async function readEvents(stage: Stage, ledger: Ledger, { hook_path, webhook_id }: Tenant): Promise<void> {
  const created = ofKind(ledger, 'key').filter(
    ({ outcome, body }) => outcome === 'done' && !ledger.lost_with_server.has(body.id),
  );
  const events = new Map<string, Set<string>>();
  let read = 0;
  // Each event is parsed once: the webhook is served by this process, and must not wait for it.
  const isComplete = async () => {
    const received = stage.upstreams.good.at(hook_path);
    for (; read < received.length; read += 1) {
      const { id, data } = JSON.parse(String(received[read]?.body));
      events.set(data.id, (events.get(data.id) ?? new Set()).add(id));
    }
    return created.every(({ body }) => events.has(body.id));
  };
  await waitUntil(isComplete, DELIVERED_WITHIN_MS, 'all events are delivered').catch(async () => {
    const missing = created.filter(({ body }) => !events.has(body.id));
    ledger.lost += missing.length;
    ledger.problems.push(`${missing.length} events were not delivered: ${await describeDelivery(stage, missing[0])}`);
  });
  for (const ids of events.values()) ledger.duplicated += ids.size - 1;
  const [row] = await stage.postgres.query<{ seconds: string | null }>(
    'select max(extract(epoch from finished_at - created_at)) as seconds from deliveries where webhook_id = $1',
    [webhook_id],
  );
  ledger.notes.push(`the last event arrived ${Number(row?.seconds).toFixed(1)} s after its change`);
}

/** What is stored about the delivery of an event that did not arrive, to find out why. */
async function describeDelivery({ postgres }: Stage, created: Operation | undefined): Promise<string> {
  const rows = await postgres.query(
    `select d.status, d.attempt_count, d.next_attempt_at, j.state, j.run_at, j.failures,
       (select json_agg(json_build_array(a.started_at, a.duration_ms, a.status, a.error)) from delivery_attempts a
         where a.delivery_id = d.id) as attempts
     from events e join deliveries d on d.event_id = e.id left join jobs j on j.subject = d.id
     where e.payload::json -> 'data' ->> 'id' = $1`,
    [created?.body.id],
  );
  return JSON.stringify(rows);
}

/** An error that nothing handled is a bug, also if no request failed because of it. */
function readProcesses({ replicas }: Stage, ledger: Ledger): void {
  for (const { name, output } of replicas) {
    const [line] = /.*(?:uncaught error|unhandled rejection).*/.exec(output()) ?? [];
    if (line) ledger.problems.push(`replica ${name}: ${line.slice(0, 300)}`);
  }
}

function describe({ kind, name, attempts }: Operation): string {
  return `${kind} ${name}: ${attempts.map(({ status, code }) => `${status} ${code}`).join(', ')}`;
}
