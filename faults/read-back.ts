// Reads everything back after a scenario and compares it with the ledger: what was acknowledged exists, once; what was refused does
// not exist; what is unknown exists at most once.

import { waitUntil } from '../server/test/wait-until.ts';
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
  for (const operation of ofKind(ledger, 'key')) {
    const ids = idsByName.get(operation.name) ?? [];
    compare(ledger, operation, ids.length);
    if (operation.outcome === 'done' && ids.length === 1 && ids[0] !== operation.body.id) ledger.lost += 1;
    if (operation.outcome === 'failed') ledger.problems.push(`refused: ${describe(operation)}`);
  }
  const statusOf = new Map(keys.map(({ id, status }) => [id, status]));
  for (const { outcome, body } of ofKind(ledger, 'revoke'))
    if (outcome === 'done' && statusOf.get(body.id) !== 'revoked') ledger.lost += 1;
}

/** The customer's API recognises a repeated call by its Idempotency-Key, so that is what may not occur twice for one operation. */
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
async function readEvents(stage: Stage, ledger: Ledger, { hook_path }: Tenant): Promise<void> {
  const created = ofKind(ledger, 'key').filter(({ outcome }) => outcome === 'done');
  const eventsOf = () => {
    const events = new Map<string, Set<string>>();
    for (const { body } of stage.upstreams.good.at(hook_path)) {
      const { id, data } = JSON.parse(String(body));
      events.set(data.id, (events.get(data.id) ?? new Set()).add(id));
    }
    return events;
  };
  const isMissing = ({ body }: Operation) => !eventsOf().has(body.id);
  await waitUntil(async () => !created.some(isMissing), DELIVERED_WITHIN_MS, 'all events are delivered').catch(() => {
    const missing = created.filter(isMissing).length;
    ledger.lost += missing;
    ledger.problems.push(`${missing} events were not delivered`);
  });
  for (const ids of eventsOf().values()) ledger.duplicated += ids.size - 1;
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
