// SQL of approvals: which clients a person let in, in which browser, for what.

import { sql } from 'kysely';
import type { Database, Row } from '../../../database/tables.ts';

export type Approval = Omit<Row<'oauth_approvals'>, 'member_id' | 'created_at'>;
type ApprovalKey = Pick<Approval, 'project_id' | 'browser_hash' | 'client_id'>;

export async function selectApproval(database: Database, key: ApprovalKey, now: string) {
  return database
    .selectFrom('oauth_approvals')
    .select(['redirect_uri', 'scopes', 'toolsets'])
    .where('project_id', '=', key.project_id)
    .where('browser_hash', '=', key.browser_hash)
    .where('client_id', '=', key.client_id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** The approval belongs to nobody until somebody has signed in with it. `keeps_member`: it is added to one that has a person. */
export async function upsertApproval(database: Database, approval: Approval, keeps_member: boolean): Promise<void> {
  const { redirect_uri, scopes, expires_at } = approval;
  const toolsets = approval.toolsets && JSON.stringify(approval.toolsets);
  const member_id = keeps_member ? sql<string | null>`oauth_approvals.member_id` : null;
  await database
    .insertInto('oauth_approvals')
    .values({ ...approval, toolsets, member_id: null })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'browser_hash', 'client_id'])
        .doUpdateSet({ redirect_uri, scopes, toolsets, expires_at, member_id }),
    )
    .execute();
}

/** Returns undefined if there is no approval of this member: nobody approved, or another person did. */
export async function claimApproval(database: Database, key: ApprovalKey, member_id: string) {
  return database
    .updateTable('oauth_approvals')
    .set({ member_id })
    .where('project_id', '=', key.project_id)
    .where('browser_hash', '=', key.browser_hash)
    .where('client_id', '=', key.client_id)
    .where((is) => is.or([is('member_id', 'is', null), is('member_id', '=', member_id)]))
    .returning('toolsets')
    .executeTakeFirst();
}

export async function deleteApproval(database: Database, key: ApprovalKey): Promise<void> {
  await database
    .deleteFrom('oauth_approvals')
    .where('project_id', '=', key.project_id)
    .where('browser_hash', '=', key.browser_hash)
    .where('client_id', '=', key.client_id)
    .execute();
}

/** The browsers in which the member approved these clients, or any client, ask again. */
export async function deleteApprovalsOf(
  database: Database,
  { project_id, member_id, client_ids }: { project_id: string; member_id: string; client_ids?: string[] },
): Promise<void> {
  await database
    .deleteFrom('oauth_approvals')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .$if(client_ids !== undefined, (query) => query.where('client_id', 'in', client_ids as string[]))
    .execute();
}
