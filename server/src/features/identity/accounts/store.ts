// SQL of accounts.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { type AccountRow, accountColumns } from './account.ts';

/** What a sign-in needs beside what others see. */
const secretColumns = [
  ...accountColumns,
  'password_hash',
  'totp_secret',
  'totp_last_step',
  'recovery_codes',
  'sso_issuer',
] as const;

export type SecretAccountRow = Pick<Row<'accounts'>, (typeof secretColumns)[number]>;

export async function selectByEmail(database: Database, email: string): Promise<SecretAccountRow | undefined> {
  return database.selectFrom('accounts').select(secretColumns).where('email', '=', email).executeTakeFirst();
}

export async function selectSecretAccount(database: Database, id: string): Promise<SecretAccountRow | undefined> {
  return database.selectFrom('accounts').select(secretColumns).where('id', '=', id).executeTakeFirst();
}

export async function lockAccount(database: Database, id: string): Promise<SecretAccountRow | undefined> {
  return database.selectFrom('accounts').select(secretColumns).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The same for an account that another person changes: only one of the same organization is found. */
export async function lockColleague(
  database: Database,
  organization_id: string,
  id: string,
): Promise<AccountRow | undefined> {
  return database
    .selectFrom('accounts')
    .select(accountColumns)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function selectColleague(
  database: Database,
  organization_id: string,
  id: string,
): Promise<AccountRow | undefined> {
  return database
    .selectFrom('accounts')
    .select(accountColumns)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function pageOfAccounts(database: Database, organization_id: string, query: PageQuery) {
  const accounts = database
    .selectFrom('accounts')
    .select(accountColumns)
    .where('organization_id', '=', organization_id);
  return readPage(accounts, 'accounts', query);
}

type NewAccount = Pick<Row<'accounts'>, 'id' | 'organization_id' | 'name' | 'email' | 'password_hash' | 'role'> &
  Partial<Pick<Row<'accounts'>, 'sso_issuer' | 'sso_subject'>>;

/** Returns null if the email address is taken. */
export async function insertAccount(database: Database, account: NewAccount): Promise<AccountRow | null> {
  const row = await database
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(accountColumns)
    .executeTakeFirst();
  return row ?? null;
}

type Changeable =
  | 'name'
  | 'email'
  | 'password_hash'
  | 'role'
  | 'can_approve'
  | 'totp_secret'
  | 'totp_enabled_at'
  | 'totp_last_step'
  | 'recovery_codes'
  | 'sso_issuer'
  | 'sso_subject'
  | 'is_break_glass';

export async function updateAccountRow(
  database: Database,
  id: string,
  change: Change<'accounts', Changeable>,
): Promise<AccountRow> {
  return database
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow();
}

/** What turns two-factor authentication off. */
export const noSecondFactor = { totp_secret: null, totp_enabled_at: null, totp_last_step: null, recovery_codes: [] };

export async function isEmailTaken(database: Database, email: string): Promise<boolean> {
  const row = await database.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst();
  return row !== undefined;
}

/** Whether any organization has an open invitation of this address. */
export async function isEmailInvited(database: Database, email: string, now: string): Promise<boolean> {
  const row = await database
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteAccount(database: Database, organization_id: string, id: string): Promise<void> {
  await database.deleteFrom('accounts').where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

/**
 * Whether the organization has an owner with a password, another one than `except_id`. The identity provider can take the role of
 * the others at any time.
 */
export async function hasOwner(database: Database, organization_id: string, except_id = ''): Promise<boolean> {
  const row = await database
    .selectFrom('accounts')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('role', '=', 'owner')
    .where('sso_subject', 'is', null)
    .where('id', '!=', except_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether somebody other than `except_id` is marked. */
export async function hasBreakGlass(database: Database, organization_id: string, except_id = ''): Promise<boolean> {
  const row = await database
    .selectFrom('accounts')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('is_break_glass', '=', true)
    .where('id', '!=', except_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectSsoRequired(database: Database, organization_id: string): Promise<boolean> {
  const row = await database
    .selectFrom('organization_sso')
    .select('is_required')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return row?.is_required ?? false;
}

/** The account of a person of an identity provider, in this organization. */
export async function lockBySubject(
  database: Database,
  organization_id: string,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<SecretAccountRow | undefined> {
  return database
    .selectFrom('accounts')
    .select(secretColumns)
    .where('organization_id', '=', organization_id)
    .where('sso_issuer', '=', issuer)
    .where('sso_subject', '=', subject)
    .forUpdate()
    .executeTakeFirst();
}

export async function countAccounts(database: Database, organization_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('accounts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** One transaction at a time changes who belongs to an organization, and who owns it. */
export async function lockPeople(database: Database, organization_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`people ${organization_id}`}, 0))`.execute(database);
}

/** Returns its id. */
export async function insertOrganization(
  database: Database,
  organization: { id: string; name: string },
): Promise<string> {
  await database.insertInto('organizations').values(organization).execute();
  return organization.id;
}

export async function deleteAccounts(database: Database, organization_id: string): Promise<void> {
  await database.deleteFrom('accounts').where('organization_id', '=', organization_id).execute();
}
