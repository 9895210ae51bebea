// Creates a session of a member who signed in by OAuth, from a code or a refresh token of the grant.

import { SESSION_LIFETIME_SECONDS } from '@toolgate/contract/member-sessions/member-session.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, makeToken } from '../../../secrets/tokens.ts';
import { DELIVERY } from '../../activity/events/record.ts';
import { eventParams } from '../../activity/events/record-in-statement.ts';
import { newEvent } from './events.ts';
import { type GrantedSession, mintGranted } from './mint-granted.ts';

const DAY_MS = 86_400_000;
/** A refresh token that is not used for so long expires. */
export const REFRESH_LIFETIME_MS = 30 * DAY_MS;

export type Grant = {
  id: string;
  project_id: string;
  member_id: string;
  external_id: string;
  integration_id: string | null;
};

/** See mint-granted.ts. */
type SessionAccess = Pick<GrantedSession, 'scopes' | 'toolset_ids' | 'granted_toolset_ids' | 'url_toolset_id'>;

export type IssuedTokens = { access_token: string; expires_in: number; refresh_token: string };

/** Returns null if the code or refresh token cannot be used (any more). */
export async function createGrantedSession(
  app: App,
  grant: Grant,
  presented: { kind: 'code' | 'refresh_token'; hash: Buffer },
  { scopes, toolset_ids, granted_toolset_ids, url_toolset_id }: SessionAccess,
): Promise<IssuedTokens | null> {
  const { id: grant_id, project_id, member_id, external_id, integration_id } = grant;
  const now = app.now();
  const [access_token, refresh_token] = [makeToken('svc_mst_'), makeToken('svc_ort_')];
  const id = newId('ses');
  const expires_at = new Date(now + SESSION_LIFETIME_SECONDS * 1000).toISOString();
  const data = { id, member_id, external_id, integration_id, expires_at };
  const event = newEvent(app, project_id, 'member_session.created', data);
  const minted = await mintGranted(app.pool, presented.kind, {
    grant_id,
    presented_hash: presented.hash,
    refresh_hash: hashToken(refresh_token),
    refresh_expires_at: new Date(now + REFRESH_LIFETIME_MS).toISOString(),
    session_id: id,
    session_hash: hashToken(access_token),
    scopes,
    toolset_ids,
    granted_toolset_ids,
    url_toolset_id,
    expires_at,
    now: new Date(now).toISOString(),
    ...eventParams(event),
  });
  if (!minted) return null;
  if (minted.has_jobs) app.job_notifier.notify(DELIVERY);
  return { access_token, expires_in: SESSION_LIFETIME_SECONDS, refresh_token };
}
