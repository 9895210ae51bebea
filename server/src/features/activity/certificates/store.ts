// SQL of certificates.

import { EXPIRY_WARNING_DAYS } from '@toolgate/contract/certificates/rules.ts';
import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';

export type CertificateRow = Row<'certificates'>;

const columns = [
  'project_id',
  'id',
  'name',
  'ca',
  'client_certificate',
  'client_key',
  'expires_at',
  'warned_days',
  'created_by',
  'created_at',
  'updated_at',
] as const;

const ofProject = (database: Database, project_id: string) =>
  database.selectFrom('certificates').select(columns).where('project_id', '=', project_id);

export const pageOfCertificates = (database: Database, project_id: string, query: PageQuery) =>
  readPage(ofProject(database, project_id), 'certificates', query);

export const selectCertificate = (database: Database, project_id: string, id: string) =>
  ofProject(database, project_id).where('id', '=', id).executeTakeFirst();

export const lockCertificate = (database: Database, project_id: string, id: string) =>
  ofProject(database, project_id).where('id', '=', id).forUpdate().executeTakeFirst();

/** It cannot be deleted before the transaction ends. */
export async function holdCertificate(database: Database, project_id: string, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('certificates')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export const insertCertificate = (
  database: Database,
  certificate: Omit<CertificateRow, 'warned_days' | 'created_at' | 'updated_at'>,
): Promise<CertificateRow> =>
  database.insertInto('certificates').values(certificate).returning(columns).executeTakeFirstOrThrow();

export const updateCertificateRow = (
  database: Database,
  { project_id, id }: Pick<CertificateRow, 'project_id' | 'id'>,
  change: Change<'certificates', 'name' | 'ca' | 'client_certificate' | 'client_key' | 'expires_at' | 'warned_days'>,
): Promise<CertificateRow> =>
  database
    .updateTable('certificates')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();

export const deleteCertificateRow = (database: Database, { project_id, id }: CertificateRow) =>
  database.deleteFrom('certificates').where('project_id', '=', project_id).where('id', '=', id).execute();

export type Expiring = Pick<CertificateRow, 'project_id' | 'id' | 'name' | 'expires_at'> &
  Pick<Row<'projects'>, 'organization_id'>;

/** Of all projects: those that come nearer to their end than there was an event for. From now on there was one. */
export async function claimExpiring(database: Database, now: string, limit: number): Promise<Expiring[]> {
  const [first] = EXPIRY_WARNING_DAYS;
  // The last of the days that it has come nearer to than that.
  const days = sql.join(
    EXPIRY_WARNING_DAYS.toReversed().map(
      (each) =>
        sql`when c.expires_at <= ${now}::timestamptz + ${sql.lit(each)} * interval '1 day' then ${sql.lit(each)}`,
    ),
    sql` `,
  );
  const { rows } = await sql<Expiring>`
    with due as (
      select c.project_id, c.id, p.organization_id, (case ${days} end)::smallint as days
      from certificates c join projects p on p.id = c.project_id
      where c.expires_at <= ${now}::timestamptz + ${sql.lit(first)} * interval '1 day' and p.deleted_at is null
        and (c.warned_days is null or c.warned_days > case ${days} end)
      order by c.expires_at limit ${limit} for update of c skip locked
    )
    update certificates as c set warned_days = due.days from due
    where c.project_id = due.project_id and c.id = due.id
    returning c.project_id, c.id, c.name, c.expires_at, due.organization_id`.execute(database);
  return rows;
}
