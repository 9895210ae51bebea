// Deletes a member: a person asked to be forgotten. One transaction ends everything that acts for them, on every replica; it also
// leaves a note, so that whatever becomes of this process what was recorded of them is erased (erase.ts). Who deletes waits for that.

import { memberEvents } from '@toolgate/contract/members/events.ts';
import type { MemberDeletion } from '@toolgate/contract/members/member.ts';
import { DELETED_MEMBER } from '@toolgate/contract/members/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { deleteResponsesOf } from '../../../api/idempotency-scope.ts';
import type { App } from '../../../app.ts';
import { forgetCreator } from '../../../database/forget-creator.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { deleteSessionsOf } from '../member-sessions/revoke.ts';
import { eraseMember } from './erase.ts';
import { deleteMemberRow, hasDeletion, insertDeletion, lockMember } from './store.ts';

/** Records the event of a deleted member. Reading it needs admin, as listing members does. */
const { recordChange } = recorderOf(memberEvents);

export type MemberRef = { id: string; project_id: string };

/** What ended with the member, and what is done when the deletion is committed. */
type Ended = { ended: Partial<MemberDeletion>; afterwards?(app: App): Promise<void> };

/** Part of the transaction that deletes a member. Features above this one hand it in. */
export type EndWithMember = (app: App, member: MemberRef) => Promise<Ended>;

/** `grants`: before the member is locked, as sign-ins lock the grant before the member. */
export type MemberEndings = { grants: EndWithMember; others: EndWithMember[] };

/** Shorter than what proxies wait for a response. */
const MAX_ERASING_MS = 20_000;
const RETRY_AFTER_SECONDS = 2;

/** Do not hold a database permit: it takes one for each part. */
export async function deleteMember(
  app: App,
  caller: Caller,
  id: string,
  endings: MemberEndings,
  max_ms = MAX_ERASING_MS,
): Promise<void> {
  const project = projectOf(caller);
  const member = { id, project_id: project.id };
  const ended = await app.permits.run(project, () => endMember(app, caller, member, endings));
  const revoked = Promise.all(ended.map(({ afterwards }) => afterwards?.(app)));
  const [is_erased] = await Promise.all([eraseWithin(app, caller, member, max_ms), revoked]);
  if (!is_erased) throw refuse.memberDeletionUnfinished({ headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}

/** Empty for a member whose deletion is not finished: it goes on. */
async function endMember(app: App, caller: Caller, member: MemberRef, endings: MemberEndings): Promise<Ended[]> {
  const { id, project_id } = member;
  const of_member = { project_id, member_id: id };
  return transact(app, async (app) => {
    const ended: Ended[] = [await endings.grants(app, member)];
    if (!(await lockMember(app.database, project_id, id))) {
      if (await hasDeletion(app.database, project_id, id)) return [];
      throw refuse.notFound();
    }
    for (const end of endings.others) ended.push(await end(app, member));
    await deleteResponsesOf(app.database, of_member);
    await forgetCreator(app.database, of_member);
    await deleteMemberRow(app.database, project_id, id);
    // Last: a sign-in that was under way has committed its session by now.
    const sessions = await deleteSessionsOf(app, of_member);
    await insertDeletion(app.database, of_member);
    const data: MemberDeletion = { sessions, connections: 0, grants: 0, approvals: 0, tasks: 0 };
    for (const part of ended) Object.assign(data, part.ended);
    await recordChange(app, actorOf(caller, id), { type: 'member.deleted', target_id: DELETED_MEMBER, data });
    app.changes.add(project_id);
    return ended;
  });
}

/** A member with `admin` may delete themselves. */
function actorOf(caller: Caller, id: string): Actor {
  return caller.kind === 'member' && caller.member_id === id ? { ...caller, member_id: DELETED_MEMBER } : caller;
}

/** Returns whether everything is erased. A job goes on otherwise. */
async function eraseWithin(app: App, caller: Caller, member: MemberRef, max_ms: number): Promise<boolean> {
  const ends_at = performance.now() + max_ms;
  const of_member = { project_id: member.project_id, member_id: member.id };
  while (await app.permits.run(projectOf(caller), () => eraseMember(app, of_member)))
    if (performance.now() >= ends_at) return false;
  return true;
}
