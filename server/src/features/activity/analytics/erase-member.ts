// Takes a deleted member out of the call log, the rollups and the traces. What was said in their calls is deleted; that there were
// calls stays. Nothing adds to it meanwhile: what inserts calls, payloads and traces leaves out members who are gone.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Database } from '../../../database/tables.ts';
import { DAY_MS, intervalMs, keptSince } from './intervals.ts';

type MemberRef = { project_id: string; member_id: string };

const BATCH_SIZE = 1000;
/** Rollups may be older than their retention while it was not applied: the service was stopped. */
const LATE_RETENTION_MS = 30 * DAY_MS;

/** Does a part. Returns whether there is more. */
export async function eraseFromLog(app: App, member: MemberRef): Promise<boolean> {
  if ((await eraseFromCalls(app.database, member)) === BATCH_SIZE) return true;
  for (const interval of ['hour', 'day'] as const) await deleteRollupsOfMember(app, member, interval);
  await eraseFromTraces(app.database, member);
  return false;
}

async function eraseFromCalls(database: Database, { project_id, member_id }: MemberRef): Promise<number> {
  const { numAffectedRows } = await sql`
    with batch as materialized (
      select id, created_at from tool_calls where project_id = ${project_id} and member_id = ${member_id}
      order by created_at desc limit ${BATCH_SIZE} for update -- in the order of its index, which then stops early
    ), said as (
      delete from tool_call_payloads where project_id = ${project_id} and call_id = any(array(select id from batch))
    )
    update tool_calls as c set member_id = null, session_id = null, policy = without_reasons(policy)
    from batch where c.project_id = ${project_id} and c.id = batch.id and c.created_at = batch.created_at`.execute(
    database,
  );
  return Number(numAffectedRows ?? 0n);
}

/** Each by its key: a project may have rollups of very many members. */
async function deleteRollupsOfMember(
  { database, now }: App,
  { project_id, member_id }: MemberRef,
  interval: 'hour' | 'day',
): Promise<void> {
  const first = new Date(keptSince(interval, now()) - LATE_RETENTION_MS).toISOString();
  const last = new Date(now() + DAY_MS).toISOString();
  const starts = sql`generate_series(
    date_trunc(${interval}, ${first}::timestamptz, 'UTC'), ${last}::timestamptz, make_interval(secs => ${intervalMs[interval] / 1000}))`;
  await sql`
    delete from call_rollups where project_id = ${project_id} and interval = ${interval} and dimension = 'member'
      and start = any(array(select ${starts})) and group_id = ${member_id}`.execute(database);
}

/** Kept for a day, so that there are not many. */
async function eraseFromTraces(database: Database, { project_id, member_id }: MemberRef): Promise<void> {
  await database
    .updateTable('request_traces')
    .set({ member_id: null, session_id: null })
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .execute();
}
