// The session of a person in one browser: a cookie with 256 random bits, of which the SHA-256 is stored. Never cached: when it
// ends, the next request on every replica is refused.

import { permissionsOf } from '@toolgate/contract/roles.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { makeCookie, readCookie } from '../../../api/cookies.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import type { CurrentRow } from './account.ts';
import {
  deleteByHash,
  deleteOldestSessions,
  insertSession,
  MAX_AGE_MS,
  selectByHash,
  selectBySession,
  writeLastSeen,
} from './session-store.ts';

const NAME = 'toolgate_session';
const MAX_SESSIONS = 50;
const MAX_USER_AGENT = 256;
/** last_seen_at is written at most this often. */
const LAST_SEEN_INTERVAL_MS = 60_000;

/** The browser of a request. */
export type Browser = { user_agent: string | null; ip: string; session_token: string | null };

export const readSessionCookie = ({ config }: App, cookies: string | undefined) =>
  readCookie(config.public_url, NAME, cookies);

export const sessionCookie = ({ config }: App, token: string, max_age_ms = MAX_AGE_MS) =>
  makeCookie(config.public_url, NAME, token, max_age_ms / 1000);

export const endedCookie = ({ config }: App) => makeCookie(config.public_url, NAME, '', 0);

/** Inside a transaction. The session that the browser had before ends. */
export async function startSession(
  app: App,
  account_id: string,
  { user_agent, ip, session_token }: Browser,
  max_age_ms = MAX_AGE_MS,
): Promise<{ token: string; current: CurrentRow }> {
  const now = app.now();
  if (session_token !== null) await deleteByHash(app.database, hashToken(session_token));
  const id = newId('acs');
  const token = randomSecret(32);
  const shown_agent = user_agent?.slice(0, MAX_USER_AGENT) ?? null;
  const session = { id, account_id, hash: hashToken(token), user_agent: shown_agent, ip };
  await insertSession(app.database, session, now, max_age_ms);
  await deleteOldestSessions(app.database, account_id, MAX_SESSIONS);
  const current = await selectBySession(app.database, id, now);
  if (!current) throw new Error('the session was not found after it was created');
  return { token, current };
}

/** Returns null for a session that is unknown or has ended. Only a `use` of it prolongs it. */
export async function resumeSession(app: App, token: string, is_use: boolean): Promise<AccountCaller | null> {
  const now = app.now();
  const current = await selectByHash(app.database, hashToken(token), now);
  if (!current) return null;
  const caller = toCaller(current);
  if (is_use && now - Date.parse(current.session.last_seen_at) > LAST_SEEN_INTERVAL_MS)
    await writeLastSeen(app.database, caller, now);
  return caller;
}

export function toCaller({ account, session, is_operator, authenticated_at }: CurrentRow): AccountCaller {
  return {
    kind: 'account',
    project: null,
    organization_id: account.organization_id,
    account_id: account.id,
    session_id: session.id,
    role: account.role,
    permissions: permissionsOf(account.role),
    can_approve: account.can_approve,
    authenticated_at: Date.parse(authenticated_at),
    is_operator,
  };
}
