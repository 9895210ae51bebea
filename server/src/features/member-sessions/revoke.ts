// Revokes every session of a member, on every replica. A new assertion can create a new session.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { recordChange } from './events.ts';
import { markRevoked } from './store.ts';

type MemberRef = { id: string; project_id: string; external_id: string };

export async function revokeSessions(app: App, caller: Caller, member: MemberRef): Promise<void> {
  const { id: member_id, project_id, external_id } = member;
  await transact(app, async (app) => {
    const revoked_count = await markRevoked(app.database, project_id, member_id, new Date(app.now()).toISOString());
    if (revoked_count === 0) return;
    const data = { member_id, external_id, revoked_count };
    await recordChange(app, caller, { type: 'member_session.revoked', target_id: member_id, data });
    app.changes.add(project_id);
  });
}
