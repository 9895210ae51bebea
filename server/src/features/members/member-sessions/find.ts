// What other features ask about members and their sessions.

import type { Scope } from '@toolgate/contract/permissions.ts';
import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { GrantLayer } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';
import { hashToken, isWellFormed } from '../../../secrets/tokens.ts';
import { countActive, selectMemberRef, selectSessionByHash, selectSessionClaims } from './store.ts';

export async function findMember(
  app: App,
  project_id: string,
  member_id: string,
): Promise<{ id: string; project_id: string; external_id: string } | null> {
  return (await selectMemberRef(app.database, project_id, member_id)) ?? null;
}

export type FoundSession = {
  id: string;
  grant_id: string | null;
  scopes: Scope[];
  grant: GrantLayer | null;
  expires_at: string;
};

/** It may be expired. */
export async function findSession(app: App, token: string): Promise<FoundSession | null> {
  if (!isWellFormed(token, ['svc_mst_'])) return null;
  const found = await selectSessionByHash(app.database, hashToken(token), new Date(app.now()).toISOString());
  return found?.session ?? null;
}

/** Whether a member came through an integration lately: sessions are kept for a day after they ended. */
export async function hasSessionOf(
  { database }: App,
  project_id: string,
  { member_id, integration_id }: { member_id: string; integration_id: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('member_sessions')
    .select('id')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .where('integration_id', '=', integration_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The member of a call, with what was said of them in its session, while the session is kept. */
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

/** Sessions that are neither expired nor ended, by the id of the member. A member without an active session is left out. */
export async function countActiveSessions(
  app: App,
  project_id: string,
  member_ids: readonly string[],
): Promise<Map<string, number>> {
  if (member_ids.length === 0) return new Map();
  const rows = await countActive(app.database, project_id, member_ids, new Date(app.now()).toISOString());
  return new Map(rows.map(({ member_id, count }) => [member_id, count]));
}
