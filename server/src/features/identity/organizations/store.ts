// SQL of organizations and invitations.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row } from '../../../database/tables.ts';

const organizationColumns = ['id', 'name', 'created_at'] as const;

type OrganizationRow = Pick<Row<'organizations'>, (typeof organizationColumns)[number]>;

export async function selectOrganization(database: Database, id: string): Promise<OrganizationRow> {
  return database
    .selectFrom('organizations')
    .select(organizationColumns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function lockOrganization(database: Database, id: string): Promise<OrganizationRow> {
  return database
    .selectFrom('organizations')
    .select(organizationColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateOrganizationRow(
  database: Database,
  id: string,
  change: { name: string },
): Promise<OrganizationRow> {
  return database
    .updateTable('organizations')
    .set(change)
    .where('id', '=', id)
    .returning(organizationColumns)
    .executeTakeFirstOrThrow();
}

export const invitationColumns = ['id', 'email', 'role', 'created_by', 'created_at', 'expires_at'] as const;

export type InvitationRow = Pick<Row<'invitations'>, (typeof invitationColumns)[number]>;

type NewInvitation = Omit<Row<'invitations'>, 'created_at'> & { created_at: string };

/** Returns null if the address is invited already. */
export async function insertInvitation(database: Database, invitation: NewInvitation): Promise<InvitationRow | null> {
  const row = await database
    .insertInto('invitations')
    .values(invitation)
    .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doNothing())
    .returning(invitationColumns)
    .executeTakeFirst();
  return row ?? null;
}

export async function countInvitations(database: Database, organization_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('invitations')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function pageOfInvitations(database: Database, organization_id: string, query: PageQuery) {
  const invitations = database
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('organization_id', '=', organization_id);
  return readPage(invitations, 'invitations', query);
}

export async function lockInvitation(
  database: Database,
  organization_id: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return database
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function renewInvitation(
  database: Database,
  id: string,
  change: Pick<Row<'invitations'>, 'hash' | 'created_by' | 'expires_at'>,
): Promise<InvitationRow> {
  return database
    .updateTable('invitations')
    .set(change)
    .where('id', '=', id)
    .returning(invitationColumns)
    .executeTakeFirstOrThrow();
}

export async function deleteInvitationRow(database: Database, id: string): Promise<void> {
  await database.deleteFrom('invitations').where('id', '=', id).execute();
}

export type OpenInvitation = InvitationRow & { organization_id: string; organization_name: string };

/**
 * An invitation that can be accepted: not expired, and made by somebody who could still make it. It is found by its token, so
 * without an organization.
 */
export async function selectOpenInvitation(
  database: Database,
  hash: Buffer,
  now: string,
  { lock }: { lock: boolean },
): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.email, i.role, i.created_by, i.created_at, i.expires_at, i.organization_id, o.name as organization_name
    from invitations i
    join organizations o on o.id = i.organization_id
    join accounts a on a.id = i.created_by
    where i.hash = ${hash} and i.expires_at > ${now}::timestamptz
      and (a.role = 'owner' or (a.role = 'admin' and i.role <> 'owner'))
    ${lock ? sql`for update of i` : sql``}`.execute(database);
  return rows[0];
}
