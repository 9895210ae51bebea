// SQL of approvals.

import type { ApprovalStatus } from '@toolgate/contract/approvals/rules.ts';
import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { type ApprovalRow, approvalColumns } from './approval.ts';
import { hasEnded, isLive, OPEN, statusAt, timeText } from './status.ts';

/** Which call an approval is for. */
export type AskedCall = Pick<
  Row<'approvals'>,
  'project_id' | 'subject_id' | 'tool_id' | 'definition_hash' | 'mcp_server_version' | 'arguments_hash'
>;

const shown = (database: Database, project_id: string, now: number) =>
  database
    .selectFrom('approvals')
    .select(approvalColumns.map((column) => `approvals.${column}` as const))
    .select(statusAt(now).as('status'))
    .where('approvals.project_id', '=', project_id);

export type ApprovalFilter = { status?: ApprovalStatus | undefined; tool_id?: string | undefined };

export async function pageOfApprovals(
  database: Database,
  project_id: string,
  { status, tool_id }: ApprovalFilter,
  { now, ...query }: PageQuery & { now: number },
) {
  let approvals = shown(database, project_id, now);
  if (tool_id !== undefined) approvals = approvals.where('approvals.tool_id', '=', tool_id);
  if (status !== undefined) approvals = approvals.where(sql<boolean>`${statusAt(now)} = ${status}`);
  return readPage(approvals, 'approvals', query, 'stored_bytes');
}

export async function selectApproval(
  database: Database,
  project_id: string,
  id: string,
  now: number,
): Promise<ApprovalRow | undefined> {
  return shown(database, project_id, now).where('approvals.id', '=', id).executeTakeFirst();
}

/** By the id alone, which is random: the link names no project. Nothing of it is shown to who only holds the link. */
export async function selectLinkedApproval(
  database: Database,
  id: string,
  now: number,
): Promise<ApprovalRow | undefined> {
  const found = await database.selectFrom('approvals').select('project_id').where('id', '=', id).executeTakeFirst();
  return found && selectApproval(database, found.project_id, id, now);
}

/** Locked first: the status is read when it can no longer change. */
export async function lockApproval(
  database: Database,
  project_id: string,
  id: string,
  now: number,
): Promise<ApprovalRow | undefined> {
  await database
    .selectFrom('approvals')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return selectApproval(database, project_id, id, now);
}

export type NewApproval = AskedCall &
  Pick<
    Row<'approvals'>,
    | 'id'
    | 'tool_name'
    | 'tool_version'
    | 'by'
    | 'arguments'
    | 'api_key_id'
    | 'session_id'
    | 'member_id'
    | 'integration_id'
    | 'account_id'
    | 'client_name'
    | 'status'
    | 'remember_seconds'
    | 'created_at'
    | 'expires_at'
    | 'decided_at'
    | 'decided_by'
    | 'decided_via'
    | 'is_told'
  >;

/** Null: there is one with this id, or the same call is pending already. */
export async function insertApproval(database: Database, approval: NewApproval): Promise<ApprovalRow | null> {
  const row = await database
    .insertInto('approvals')
    .values({ ...approval, key_epoch: epochOf(approval) })
    .onConflict((conflict) => conflict.doNothing())
    .returning([...approvalColumns, 'status'])
    .executeTakeFirst();
  return row ?? null;
}

const epochOf = ({ project_id, api_key_id }: NewApproval) => sql<number>`coalesce(
  (select session_epoch from api_keys where project_id = ${project_id} and id = ${api_key_id}), 0)`;

export async function updateApproval(
  database: Database,
  project_id: string,
  id: string,
  change: Change<'approvals', 'status' | 'decided_at' | 'decided_by' | 'decided_via' | 'reason' | 'is_told'>,
): Promise<ApprovalRow> {
  return database
    .updateTable('approvals')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning([...approvalColumns, 'status'])
    .executeTakeFirstOrThrow();
}

/** Of the caller, for the tool as it is. */
const ofTool = (database: Database, call: AskedCall, now: number) =>
  shown(database, call.project_id, now)
    .where('approvals.subject_id', '=', call.subject_id)
    .where('approvals.tool_id', '=', call.tool_id)
    .where('approvals.definition_hash', '=', call.definition_hash)
    .where('approvals.mcp_server_version', 'is not distinct from', call.mcp_server_version);

const ofCall = (database: Database, call: AskedCall, now: number) =>
  ofTool(database, call, now).where('approvals.arguments_hash', '=', call.arguments_hash);

/** What the caller names, if it is about this very call. */
export async function selectNamed(
  database: Database,
  call: AskedCall,
  id: string,
  now: number,
): Promise<ApprovalRow | undefined> {
  return ofCall(database, call, now).where('approvals.id', '=', id).executeTakeFirst();
}

/** What is open about the call, and a no that the caller was not told of. The newest first. */
export async function selectOfCall(database: Database, call: AskedCall, now: number): Promise<ApprovalRow[]> {
  return ofCall(database, call, now)
    .where(
      sql<boolean>`(${sql.raw(OPEN)} or (approvals.status = 'declined' and not approvals.is_told
        and approvals.expires_at > ${sql.raw(timeText(now))}))`,
    )
    .orderBy('approvals.created_at', 'desc')
    .limit(10)
    .execute();
}

/** Whether an approval of an earlier call of the tool counts for this one, too. */
export async function isRemembered(database: Database, call: AskedCall, now: number): Promise<boolean> {
  const row = await ofTool(database, call, now)
    .where('approvals.status', 'in', ['approved', 'used'])
    .where('approvals.remember_seconds', '>', 0)
    .where(
      sql<boolean>`approvals.decided_at + make_interval(secs => approvals.remember_seconds) > ${sql.raw(timeText(now))}
        and ${sql.raw(isLive(now))}`,
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** One statement, so that of several calls at the same time one gets it. Returns whether this one did. */
export async function markUsed(database: Database, call: AskedCall, id: string, now: number): Promise<boolean> {
  const row = await database
    .updateTable('approvals')
    .set({ status: 'used' })
    .where('project_id', '=', call.project_id)
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where('subject_id', '=', call.subject_id)
    .where('tool_id', '=', call.tool_id)
    .where('definition_hash', '=', call.definition_hash)
    .where('mcp_server_version', 'is not distinct from', call.mcp_server_version)
    .where('arguments_hash', '=', call.arguments_hash)
    .where(sql<boolean>`not (${hasEnded(now)})`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** By the call that used it. What has ended meanwhile does not count again, also if its tool is changed back. */
export async function markUnused(database: Database, call: AskedCall, id: string, now: number): Promise<void> {
  await database
    .updateTable('approvals')
    .set({ status: sql`case when ${sql.raw(isLive(now))} then 'approved' else 'cancelled' end` })
    .where('project_id', '=', call.project_id)
    .where('id', '=', id)
    .where('status', '=', 'used')
    .execute();
}

/** Returns whether this call is the one that was told. */
export async function markTold(database: Database, project_id: string, id: string): Promise<boolean> {
  const row = await database
    .updateTable('approvals')
    .set({ is_told: true })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('is_told', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countPending(database: Database, { project_id, subject_id }: AskedCall) {
  const { rows } = await sql<{ of_project: number; of_subject: number }>`
    select count(*)::integer as of_project, (count(*) filter (where subject_id = ${subject_id}))::integer as of_subject
    from approvals where project_id = ${project_id} and status = 'pending'`.execute(database);
  return rows[0] as { of_project: number; of_subject: number };
}

const MAX_COUNTED = 100_000;

/** For all projects. */
export async function countAllPending(database: Database, now: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from approvals where status = 'pending' and expires_at > ${sql.raw(timeText(now))} limit ${MAX_COUNTED}
    ) as pending`.execute(database);
  return (rows[0] as { count: number }).count;
}

/** When the first of the pending ones expires, of a caller or of the whole project; epoch milliseconds. */
export async function selectFirstExpiry(database: Database, project_id: string, subject_id?: string): Promise<number> {
  const row = await database
    .selectFrom('approvals')
    .select('expires_at')
    .where('project_id', '=', project_id)
    .where('status', '=', 'pending')
    .$if(subject_id !== undefined, (query) => query.where('subject_id', '=', subject_id as string))
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst();
  return row ? Date.parse(row.expires_at) : 0;
}

/** One transaction of a project at a time asks for approvals. */
export async function lockRequests(database: Database, project_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approvals ${project_id}`}, 0))`.execute(database);
}
