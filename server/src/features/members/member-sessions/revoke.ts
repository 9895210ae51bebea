// Revokes sessions of a member, on every replica: all of them, those of one grant of OAuth, or one. A new assertion or sign-in can
// create a new session.

import type { App } from '../../../app.ts';
import { holdMember } from '../../../database/hold-member.ts';
import { transact } from '../../../database/transact.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { recordChange } from './events.ts';
import { deleteSessionRowsOf, markRevoked, type SessionFilter } from './store.ts';

type MemberRef = { id: string; project_id: string; external_id: string };
type Owner = { id: string; organization_id: string };

/** `owner` is the project, for an actor without one. */
export async function revokeSessions(
  app: App,
  actor: Actor,
  member: MemberRef,
  { only = {}, owner }: { only?: Omit<SessionFilter, 'member_id'>; owner?: Owner } = {},
): Promise<void> {
  const { id: member_id, project_id, external_id } = member;
  await transact(app, async (app) => {
    // Locked before the sessions, as the deletion of a member does it. Then there are none.
    if (!(await holdMember(app.database, member_id))) return;
    const now = new Date(app.now()).toISOString();
    const revoked_count = await markRevoked(app.database, project_id, { member_id, ...only }, now);
    if (revoked_count === 0) return;
    const data = { member_id, external_id, revoked_count };
    await recordChange(app, actor, { type: 'member_session.revoked', target_id: member_id, data }, owner);
    app.changes.add(project_id);
  });
}

/** Deletes the sessions of a member who is deleted, with what was claimed of them. Returns how many were active. */
export const deleteSessionsOf = (app: App, member: { project_id: string; member_id: string }): Promise<number> =>
  deleteSessionRowsOf(app.database, member, new Date(app.now()).toISOString());
