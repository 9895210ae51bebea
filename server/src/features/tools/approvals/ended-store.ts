// SQL of approvals that have ended: they are written down as such, and deleted later.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { type ApprovalRow, approvalColumns } from './approval.ts';
import { hasEnded, OPEN, statusAt, timeText } from './status.ts';

export type Ended = ApprovalRow & { organization_id: string; approval_url: string | null };

/**
 * Writes down what has ended: of a caller, of a project, or of all. Waits for a transaction that is deciding about one of them; for
 * all projects such rows are left for the next time. Always in the same order, so that two of these cannot block each other.
 */
export async function settleEnded(
  database: Database,
  of: { project_id?: string; subject_id?: string },
  { now, limit }: { now: number; limit: number },
): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    with ended as (
      select id from approvals
      where ${hasEnded(now)}
        and ${of.project_id === undefined ? sql`true` : sql`project_id = ${of.project_id}`}
        and ${of.subject_id === undefined ? sql`true` : sql`subject_id = ${of.subject_id}`}
      order by expires_at, id limit ${limit} for update ${of.project_id === undefined ? sql`skip locked` : sql``}
    ), settled as (
      update approvals set status = ${statusAt(now)} from ended where approvals.id = ended.id
      returning ${sql.join([...approvalColumns, 'status'].map((column) => sql.ref(`approvals.${column}`)))}
    )
    select settled.*, p.organization_id, p.settings->>'approval_url' as approval_url
    from settled join projects p on p.id = settled.project_id where p.deleted_at is null`.execute(database);
  return rows;
}

/** Whether any is stored as open, ended or not. */
export async function hasOpenApprovals(database: Database, project_id: string): Promise<boolean> {
  const found = await database
    .selectFrom('approvals')
    .select('id')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`${sql.raw(OPEN)}`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Those that the member asked for, or somebody who tried a tool for them. Returns how many were open. */
export async function deleteApprovalsOf(
  database: Database,
  project_id: string,
  { member_id, now }: { member_id: string; now: number },
): Promise<number> {
  const rows = await database
    .deleteFrom('approvals')
    .where('project_id', '=', project_id)
    .where((is) => is.or([is('subject_id', '=', member_id), is('member_id', '=', member_id)]))
    .returning(sql<boolean>`${sql.raw(OPEN)} and expires_at > ${sql.raw(timeText(now))}`.as('was_open'))
    .execute();
  return rows.filter(({ was_open }) => was_open).length;
}
