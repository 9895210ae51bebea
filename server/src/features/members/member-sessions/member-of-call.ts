// The member of a call, with what was said of them in its session, while the session is kept.

import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { App } from '../../../app.ts';
import { selectMemberRef, selectSessionClaims } from './store.ts';

export async function findMemberOfCall(
  { database }: App,
  project_id: string,
  { member_id, session_id }: { member_id: string | null; session_id: string | null },
): Promise<{ id: string; external_id: string; claims: MemberClaims } | null> {
  const member = member_id === null ? undefined : await selectMemberRef(database, project_id, member_id);
  if (!member) return null;
  const claims = session_id === null ? null : await selectSessionClaims(database, project_id, session_id);
  return { id: member.id, external_id: member.external_id, claims: claims ?? {} };
}
