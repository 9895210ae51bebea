// One failover of PostgreSQL under load, and everything that must hold after it.

import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditResult, describeAudit, verifyAuditLog } from '../../server/src/commands/verify-audit.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { type Attempt, attemptsOf, duringFault, type Fault, type Ledger, RECOVERY_WITHIN_MS } from '../ledger.ts';
import { useUpLimit } from '../limit-check.ts';
import { startLoad } from '../load.ts';
import { readBack } from '../read-back.ts';
import { MASTER_KEY, openLedger, ROOT_KEY, type Stage } from '../stage.ts';
import { accept, openStream, readStream } from '../streams.ts';
import { listAll, makeTenant, type Tenant } from '../tenant.ts';
import { untilServing } from '../under-load.ts';
import { watchLiveness } from './liveness.ts';
import type { Failure, ServerLoss, Servers } from './servers.ts';
import { startCallers } from './sessions.ts';

const RESPONSE_WITHIN_MS = 2_000;
/** How long the standby of an asynchronous replication lags. */
const HELD_BACK_MS = 1_000;

type Options = { servers: Servers; failure: Failure; seconds: number };

export async function failOver(stage: Stage, { servers, failure, seconds }: Options): Promise<Ledger> {
  const { replicas } = stage;
  const { ledger, client } = openLedger(replicas);
  const tenant = await makeTenant(stage);
  const receivers = [await openStream(stage, tenant, 'tool_calls'), await openStream(stage, tenant, 'audit_log')];
  for (const receiver of receivers) accept(stage, receiver);
  const liveness = watchLiveness(replicas, ledger);
  const callers = await startCallers(stage, client, ledger, tenant);
  const load = startLoad({ client, ledger, tenant, replicas });
  await sleep((seconds * 1000) / 3);

  const loses = !servers.is_synchronous;
  if (loses) {
    await servers.holdBack();
    await sleep(HELD_BACK_MS);
  }
  const heads = await readHeads(stage);
  await duringFault(ledger, () => servers.fail(failure));
  const fault = ledger.faults[0] as Fault;
  await untilServing(stage);
  ledger.recoveries_ms.push(performance.now() - fault.ended_at);
  await sleep((seconds * 2000) / 3);
  await load.stop();
  await callers.stop();
  judgeResponses(ledger, fault);
  await useUpLimit(stage, client, ledger, { counters: 1, within_ms: RECOVERY_WITHIN_MS });

  const loss = loses ? await servers.findLoss(tenant.project_id) : null;
  if (loss) for (const id of loss.key_ids) ledger.lost_with_server.add(id);
  await readBack(stage, ledger, tenant);
  for (const receiver of receivers) await readStream(stage, ledger, tenant, receiver, { loses });
  await readCallLog(stage, ledger, tenant, loss);
  countSessions(ledger, await callers.countRefused(), loss);
  expectDistinctIds(ledger);
  await verifyChain(stage, ledger, heads, loses);
  if (loss) describeLoss(ledger, loss);
  await servers.repair();
  await untilServing(stage);
  await liveness.stop();
  await client.close();
  return ledger;
}

/** While there was no primary: soon, and with Retry-After. */
function judgeResponses(ledger: Ledger, { began_at, ended_at }: Fault): void {
  const attempts = attemptsOf(ledger);
  // A call that its API has received gets its response, however long that takes.
  const refused = ledger.operations
    .flatMap(({ kind, attempts }) => attempts.map((attempt) => ({ ...attempt, kind })))
    .filter(({ status }) => status === null || status === 503)
    .filter((attempt) => attempt.ended_at >= began_at && attempt.started_at <= ended_at);
  const waitOf = (attempt: Attempt) => attempt.ended_at - Math.max(began_at, attempt.started_at);
  const slowest = refused.sort((a, b) => waitOf(b) - waitOf(a))[0];
  const slowest_ms = slowest ? waitOf(slowest) : 0;
  const bare = attempts.filter(({ status, retry_after }) => status === 503 && !/^[1-9]\d*$/.test(retry_after ?? ''));
  const written = ledger.operations
    .filter(({ kind }) => kind === 'key')
    .flatMap(({ attempts }) => attempts)
    .filter((attempt) => attempt.status === 201 && attempt.ended_at > ended_at);
  const first_success_ms = Math.min(...written.map((attempt) => attempt.ended_at)) - ended_at;
  ledger.failover = { without_primary_ms: ended_at - began_at, slowest_ms, first_success_ms };
  if (slowest && slowest_ms > RESPONSE_WITHIN_MS) {
    const { kind, status, code, started_at } = slowest;
    const sent = `sent ${Math.round(started_at - began_at)} ms after the fault`;
    ledger.problems.push(
      `a request (${kind}, ${status} ${code}, ${sent}) had no response for ${Math.round(slowest_ms)} ms`,
    );
  }
  if (bare.length > 0) ledger.problems.push(`${bare.length} responses with 503 had no Retry-After`);
  if (!(first_success_ms <= RECOVERY_WITHIN_MS))
    ledger.problems.push(`the first write succeeded ${Math.round(first_success_ms)} ms after the new primary's`);
}

/** A call that was acknowledged has its row, unless PostgreSQL lost it. */
async function readCallLog(stage: Stage, ledger: Ledger, { project_id }: Tenant, loss: ServerLoss | null) {
  const logged = new Set((await listAll(stage, `/projects/${project_id}/tool-calls`)).map(({ id }) => id));
  const missing = ledger.operations.filter(
    ({ kind, outcome, body }) => kind === 'call' && outcome === 'done' && !logged.has(body.call_id),
  ).length;
  const lost = loss?.rows.tool_calls ?? 0;
  if (missing > lost) ledger.problems.push(`${missing - lost} calls are not in the log`);
}

function countSessions(ledger: Ledger, refused: number, loss: ServerLoss | null): void {
  const lost_by_postgres = Math.min(refused, loss?.rows.member_sessions ?? 0);
  ledger.lost_by_postgres += lost_by_postgres;
  ledger.lost += refused - lost_by_postgres;
}

function expectDistinctIds({ operations, problems }: Ledger): void {
  const ids = operations.filter(({ kind, outcome }) => kind === 'key' && outcome === 'done').map(({ body }) => body.id);
  if (new Set(ids).size < ids.length) problems.push('an id was used twice');
}

type Heads = Parameters<typeof verifyAuditLog>[1];

async function readHeads({ replicas }: Stage): Promise<Heads> {
  const headers = { authorization: `Bearer ${ROOT_KEY}` };
  const response = await fetch(`${replicas[0]?.url}/readyz`, { headers });
  return ((await response.json()) as { audit_heads: Heads }).audit_heads;
}

/** The chain verifies; with the heads from before the failover, verification says where it was cut, if it was. */
async function verifyChain(stage: Stage, ledger: Ledger, heads: Heads, loses: boolean): Promise<void> {
  const config = readConfig({ DATABASE_URL: stage.postgres.url(), TOOLGATE_MASTER_KEYS: MASTER_KEY });
  const brokenOf = (result: AuditResult) => describeAudit(result).filter((_, i) => result.chains[i]?.broken);
  const broken = brokenOf(await verifyAuditLog(config));
  if (broken.length > 0) ledger.problems.push(`the audit log does not verify: ${broken.join('; ')}`);
  const cut = brokenOf(await verifyAuditLog(config, heads));
  if (cut.length > 0 && !loses) ledger.problems.push(`the audit log was cut: ${cut.join('; ')}`);
  if (cut.length > 0 && loses) ledger.notes.push(`with the head from before, the audit log says: ${cut.join('; ')}`);
}

function describeLoss(ledger: Ledger, { rows, bytes }: ServerLoss): void {
  const lost = Object.entries(rows).map(([table, count]) => `${count} rows of ${table}`);
  const kib = Math.round(bytes / 1024);
  ledger.notes.push(`PostgreSQL lost ${kib} KiB of its log: ${lost.join(', ')}`);
}
