// SQL of sign-ins and tests of single sign-on in progress.

import type { SsoTestStep } from '@toolgate/contract/organizations/sso-test.ts';
import type { Database, Row, SsoIdentity, TestedSso } from '../../../database/tables.ts';

export type SsoRequest = Pick<Row<'sso_requests'>, (typeof columns)[number]>;

const columns = [
  'id',
  'organization_id',
  'purpose',
  'state_hash',
  'settings',
  'steps',
  'identity',
  'account_id',
  'created_at',
  'expires_at',
] as const;

type NewRequest = {
  id: string;
  organization_id: string;
  purpose: 'sign_in' | 'test';
  browser_hash: Buffer;
  state_hash: Buffer | null;
  settings?: TestedSso;
  steps?: SsoTestStep[];
  created_at: string;
  expires_at: string;
};

export async function insertRequest(database: Database, { settings, steps, ...request }: NewRequest): Promise<void> {
  const json = { settings: settings ? JSON.stringify(settings) : null, steps: steps ? JSON.stringify(steps) : null };
  await database
    .insertInto('sso_requests')
    .values({ ...request, ...json })
    .execute();
}

/** Uses the state up. Only the browser that it was made for, and the organization that it was made for, can bring it back. */
export async function takeState(
  database: Database,
  given: { state_hash: Buffer; browser_hash: Buffer; organization_id: string; now: string },
): Promise<SsoRequest | undefined> {
  return database
    .updateTable('sso_requests')
    .set({ state_hash: null })
    .where('state_hash', '=', given.state_hash)
    .where('browser_hash', '=', given.browser_hash)
    .where('organization_id', '=', given.organization_id)
    .where('expires_at', '>', given.now)
    .returning(columns)
    .executeTakeFirst();
}

export async function saveSteps(
  database: Database,
  { id, organization_id }: SsoRequest,
  steps: SsoTestStep[],
): Promise<void> {
  await database
    .updateTable('sso_requests')
    .set({ steps: JSON.stringify(steps) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

/** The sign-in waits for the password of the account. */
export async function awaitLink(
  database: Database,
  { id, organization_id }: SsoRequest,
  { account_id, identity }: { account_id: string; identity: SsoIdentity },
): Promise<void> {
  await database
    .updateTable('sso_requests')
    .set({ purpose: 'link', account_id, identity: JSON.stringify(identity) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

/** The sign-in waits until the person says that the session of another account ends. */
export async function awaitSwitch(
  database: Database,
  { id, organization_id }: SsoRequest,
  identity: SsoIdentity,
): Promise<void> {
  await database
    .updateTable('sso_requests')
    .set({ identity: JSON.stringify(identity) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

export async function selectSwitch(
  database: Database,
  { id, browser_hash, now }: { id: string; browser_hash: Buffer; now: string },
): Promise<SsoRequest | undefined> {
  return database
    .selectFrom('sso_requests')
    .select(columns)
    .where('id', '=', id)
    .where('browser_hash', '=', browser_hash)
    .where('purpose', '=', 'sign_in')
    .where('identity', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** The newest of this browser. */
export async function selectLink(
  database: Database,
  { browser_hash, now }: { browser_hash: Buffer; now: string },
): Promise<SsoRequest | undefined> {
  return database
    .selectFrom('sso_requests')
    .select(columns)
    .where('browser_hash', '=', browser_hash)
    .where('purpose', '=', 'link')
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function selectTest(
  database: Database,
  { organization_id, id, now }: { organization_id: string; id: string; now: string },
): Promise<SsoRequest | undefined> {
  return database
    .selectFrom('sso_requests')
    .select(columns)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('purpose', '=', 'test')
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Returns false if another request has completed it. */
export async function deleteRequest(
  database: Database,
  { id, organization_id }: Pick<SsoRequest, 'id' | 'organization_id'>,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('sso_requests')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** After a change of the settings: what was begun under the old ones ends. Tests have settings of their own. */
export async function deleteSignIns(database: Database, organization_id: string): Promise<void> {
  await database
    .deleteFrom('sso_requests')
    .where('organization_id', '=', organization_id)
    .where('purpose', '!=', 'test')
    .execute();
}
