// SQL of the sessions of accounts. A session is looked up together with its account and organization, so no later step loads them.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import { type CurrentRow, sessionColumns } from './account.ts';

/** A session that is not used for so long has ended. */
const IDLE_MS = 12 * 3_600_000;
export const MAX_AGE_MS = 7 * 86_400_000;

/** Sessions that have not ended. */
const usable = (now: number) => sql<boolean>`s.expires_at > ${iso(now)} and s.last_seen_at > ${iso(now - IDLE_MS)}`;

/**
 * Whether the organization still accepts the way in which the person signed in: no password if single sign-on is required, and no
 * identity provider that was replaced.
 */
const allowed = sql<boolean>`case when a.sso_subject is null
  then a.is_break_glass or not coalesce(sso.is_required, false)
  else a.sso_issuer = sso.issuer end`;

const iso = (time: number) => new Date(time).toISOString();

type Flat = Record<string, unknown> & { recovery_codes_left: number; is_operator: boolean };

async function selectCurrent(database: Database, by: ReturnType<typeof sql>, now: number): Promise<CurrentRow | null> {
  const { rows } = await sql<Flat>`
    select s.id as session_id, s.user_agent, s.ip, s.created_at as session_created_at,
      s.last_seen_at as session_last_seen_at, s.expires_at, coalesce(s.authenticated_at, s.created_at) as authenticated_at,
      a.id, a.organization_id, a.name, a.email, a.role, a.can_approve, a.totp_enabled_at, a.sso_subject, a.is_break_glass,
      a.created_at, a.last_seen_at,
      cardinality(a.recovery_codes) as recovery_codes_left,
      o.name as organization_name, o.created_at as organization_created_at,
      a.role = 'owner' and o.id = (select id from organizations order by created_at, id limit 1) as is_operator
    from account_sessions s
    join accounts a on a.id = s.account_id
    join organizations o on o.id = a.organization_id
    left join organization_sso sso on sso.organization_id = a.organization_id
    where ${by} and ${usable(now)} and ${allowed}`.execute(database);
  return rows[0] ? toCurrent(rows[0]) : null;
}

function toCurrent(row: Flat): CurrentRow {
  const { session_id, user_agent, ip, session_created_at, session_last_seen_at, expires_at, is_operator, ...rest } =
    row;
  const { organization_name, organization_created_at, authenticated_at, ...account } = rest;
  return {
    account,
    session: {
      id: session_id,
      user_agent,
      ip,
      created_at: session_created_at,
      last_seen_at: session_last_seen_at,
      expires_at,
    },
    organization: { id: account.organization_id, name: organization_name, created_at: organization_created_at },
    is_operator,
    authenticated_at,
  } as CurrentRow;
}

export const selectByHash = (database: Database, hash: Buffer, now: number) =>
  selectCurrent(database, sql`s.hash = ${hash}`, now);

export const selectBySession = (database: Database, session_id: string, now: number) =>
  selectCurrent(database, sql`s.id = ${session_id}`, now);

type NewSession = { id: string; account_id: string; hash: Buffer; user_agent: string | null; ip: string | null };

export async function insertSession(
  database: Database,
  session: NewSession,
  now: number,
  max_age_ms: number,
): Promise<void> {
  const times = { created_at: iso(now), last_seen_at: iso(now), expires_at: iso(now + max_age_ms) };
  await database
    .insertInto('account_sessions')
    .values({ ...session, ...times })
    .execute();
  await database
    .updateTable('accounts')
    .set({ last_seen_at: iso(now) })
    .where('id', '=', session.account_id)
    .execute();
}

/** Returns false if the session has ended. */
export async function writeAuthenticated(database: Database, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('account_sessions')
    .set({ authenticated_at: iso(now) })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns false if the cookie is no longer the one with the hash `before`. */
export async function renewHash(database: Database, id: string, before: Buffer, hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('account_sessions')
    .set({ hash })
    .where('id', '=', id)
    .where('hash', '=', before)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Keeps the newest sessions of the account. */
export async function deleteOldestSessions(database: Database, account_id: string, kept: number): Promise<void> {
  await sql`delete from account_sessions where id in (
    select id from account_sessions where account_id = ${account_id}
    order by created_at desc, id desc offset ${kept})`.execute(database);
}

/** Another replica may have written it already. */
export async function writeLastSeen(
  database: Database,
  { session_id, account_id }: { session_id: string; account_id: string },
  now: number,
): Promise<void> {
  await sql`
    with session as (
      update account_sessions set last_seen_at = ${iso(now)} where id = ${session_id} and last_seen_at < ${iso(now)}
    )
    update accounts set last_seen_at = ${iso(now)}
    where id = ${account_id} and (last_seen_at is null or last_seen_at < ${iso(now)})`.execute(database);
}

export async function pageOfSessions(database: Database, account_id: string, now: number, query: PageQuery) {
  const sessions = database
    .selectFrom('account_sessions as s')
    .select(sessionColumns)
    .where('account_id', '=', account_id)
    .where(usable(now));
  return readPage(sessions, 's', query);
}

/** Returns whether there was such a session. */
export async function deleteSession(database: Database, account_id: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('account_sessions')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Returns whose session it was. */
export async function deleteByHash(
  database: Database,
  hash: Buffer,
): Promise<{ id: string; account_id: string } | null> {
  const row = await database
    .deleteFrom('account_sessions')
    .where('hash', '=', hash)
    .returning(['id', 'account_id'])
    .executeTakeFirst();
  return row ?? null;
}

/** All sessions of the account but this one. Returns how many. */
export async function deleteSessions(database: Database, account_id: string, kept_id: string | null): Promise<number> {
  let sessions = database.deleteFrom('account_sessions').where('account_id', '=', account_id);
  if (kept_id !== null) sessions = sessions.where('id', '!=', kept_id);
  return Number((await sessions.executeTakeFirstOrThrow()).numDeletedRows);
}

/** Those that a password made, except of break-glass owners. Returns how many. */
export async function deletePasswordSessions(database: Database, organization_id: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from account_sessions s using accounts a
    where a.id = s.account_id and a.organization_id = ${organization_id} and a.sso_subject is null
      and not a.is_break_glass`.execute(database);
  return Number(numAffectedRows);
}

/** Those that single sign-on made, except at this issuer. Returns how many. */
export async function deleteSsoSessions(
  database: Database,
  organization_id: string,
  kept_issuer: string | null,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from account_sessions s using accounts a
    where a.id = s.account_id and a.organization_id = ${organization_id} and a.sso_subject is not null
      and a.sso_issuer is distinct from ${kept_issuer}`.execute(database);
  return Number(numAffectedRows);
}
