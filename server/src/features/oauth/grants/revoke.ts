// Revokes grants: their refresh tokens and sessions end on every replica, and the client has to be approved again.

import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { findMember } from '../../members/member-sessions/find.ts';
import { revokeSessions } from '../../members/member-sessions/revoke.ts';
import { deleteApprovalsOf } from './approval-store.ts';
import { recordChange, showGrant } from './grant.ts';
import { markRevoked } from './store.ts';

type MemberRef = { id: string; project_id: string; external_id: string };

export async function revokeGrant(
  app: App,
  caller: Caller,
  { member_id, grant_id }: { member_id: string; grant_id: string },
): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    const member = await findMember(app, project.id, member_id);
    if (!member || !(await endGrants(app, caller, { member, project, grant_id }))) throw refuse.notFound();
  });
}

/** For a client that gives up its grant, and for a code or refresh token that was used twice. */
export async function endGrant(app: App, project: Project, grant: { id: string } & GrantMember): Promise<void> {
  const member = { id: grant.member_id, project_id: project.id, external_id: grant.external_id };
  await transact(app, (app) => endGrants(app, 'system', { member, project, grant_id: grant.id }));
}

type GrantMember = { member_id: string; external_id: string };

/** All of a member, with those that were never used. */
export async function revokeGrantsOf(app: App, caller: Caller, member: MemberRef): Promise<void> {
  const project = projectOf(caller);
  await transact(app, (app) => endGrants(app, caller, { member, project }));
}

/** Returns whether there was one to revoke. */
async function endGrants(
  app: App,
  actor: Actor,
  { member, project, grant_id }: { member: MemberRef; project: Project; grant_id?: string },
): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const of_member = { project_id: project.id, member_id: member.id };
  const rows = await markRevoked(app.database, { ...of_member, ...(grant_id && { id: grant_id }) }, now);
  if (rows.length === 0) return false;
  await deleteApprovalsOf(app.database, { ...of_member, client_ids: rows.map(({ client_id }) => client_id) });
  for (const row of rows) {
    await revokeSessions(app, actor, member, { only: { grant_id: row.id }, owner: project });
    const data = showGrant(row);
    await recordChange(
      app,
      actor,
      { type: 'oauth_grant.revoked', target_id: row.id, data, before: data, after: null },
      project,
    );
  }
  app.changes.add(project.id);
  return true;
}
