// SQL of the settings of single sign-on and their domains.

import { sql } from 'kysely';
import type { Database, Row } from '../../../database/tables.ts';

export type SsoRow = Row<'organization_sso'> & { domains: string[] };

const domains = sql<string[]>`array(select domain from organization_domains d
  where d.organization_id = organization_sso.organization_id order by position)`;

const columns = [
  'organization_id',
  'issuer',
  'client_id',
  'client_secret',
  'role_claim',
  'role_map',
  'default_role',
  'is_required',
  'created_at',
  'updated_at',
] as const;

export async function selectSso(database: Database, organization_id: string): Promise<SsoRow | undefined> {
  return database
    .selectFrom('organization_sso')
    .select(columns)
    .select(domains.as('domains'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
}

/** By the domain of an email address: whoever signs in is not known yet. */
export async function selectSsoOfDomain(database: Database, domain: string): Promise<SsoRow | undefined> {
  return database
    .selectFrom('organization_sso')
    .select(columns)
    .select(domains.as('domains'))
    .where('organization_id', '=', (query) =>
      query.selectFrom('organization_domains').select('organization_id').where('domain', '=', domain),
    )
    .executeTakeFirst();
}

type NewSso = Omit<Row<'organization_sso'>, 'created_at' | 'updated_at' | 'role_map'> & { role_map: string };

export async function upsertSso(database: Database, { organization_id, ...sso }: NewSso, now: string): Promise<void> {
  await database
    .insertInto('organization_sso')
    .values({ organization_id, ...sso, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...sso, updated_at: now }))
    .execute();
}

/** Returns a domain that another organization has, or null. */
export async function replaceDomains(
  database: Database,
  organization_id: string,
  wanted: readonly string[],
): Promise<string | null> {
  await database.deleteFrom('organization_domains').where('organization_id', '=', organization_id).execute();
  for (const [position, domain] of wanted.entries()) {
    const { numInsertedOrUpdatedRows = 0n } = await database
      .insertInto('organization_domains')
      .values({ domain, organization_id, position })
      .onConflict((conflict) => conflict.column('domain').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return domain;
  }
  return null;
}

export async function selectOtherOwner(
  database: Database,
  organization_id: string,
  wanted: readonly string[],
): Promise<string | null> {
  const row = await database
    .selectFrom('organization_domains')
    .select('domain')
    .where('domain', 'in', wanted)
    .where('organization_id', '!=', organization_id)
    .limit(1)
    .executeTakeFirst();
  return row?.domain ?? null;
}

export async function deleteSsoRow(database: Database, organization_id: string): Promise<void> {
  await database.deleteFrom('organization_sso').where('organization_id', '=', organization_id).execute();
}

export async function allowPasswordsIn(database: Database, organization_id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('organization_sso')
    .set({ is_required: false, updated_at: now })
    .where('organization_id', '=', organization_id)
    .where('is_required', '=', true)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
