// SQL of the signing keys of projects.

import { sql } from 'kysely';
import type { Database, Row } from '../../../database/tables.ts';

export type SigningKeyRow = Row<'signing_keys'>;

export async function selectCurrentKey(
  database: Database,
  project_id: string,
): Promise<Pick<SigningKeyRow, 'id' | 'private_key'> | undefined> {
  return database
    .selectFrom('signing_keys')
    .select(['id', 'private_key'])
    .where('project_id', '=', project_id)
    .where('ends_at', 'is', null)
    .executeTakeFirst();
}

/** False if another process has just made the current key. */
export async function insertKey(
  database: Database,
  key: Pick<SigningKeyRow, 'id' | 'project_id' | 'public_jwk' | 'private_key'>,
): Promise<boolean> {
  const row = await database
    .insertInto('signing_keys')
    .values({ ...key, public_jwk: JSON.stringify(key.public_jwk) })
    .onConflict((conflict) => conflict.column('project_id').where('ends_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The current key ends then; those that have ended by now are deleted. */
export async function endCurrentKey(
  database: Database,
  project_id: string,
  { now, ends_at }: { now: string; ends_at: string },
): Promise<void> {
  await database.deleteFrom('signing_keys').where('project_id', '=', project_id).where('ends_at', '<=', now).execute();
  await database
    .updateTable('signing_keys')
    .set({ ends_at })
    .where('project_id', '=', project_id)
    .where('ends_at', 'is', null)
    .execute();
}

/** Null if there is no such project. */
export async function selectPublishedKeys(
  database: Database,
  project_id: string,
  now: string,
): Promise<{ id: string; public_jwk: SigningKeyRow['public_jwk'] }[] | null> {
  const rows = await database
    .selectFrom('projects as p')
    .leftJoin('signing_keys as k', (join) =>
      join.onRef('k.project_id', '=', 'p.id').on(sql<boolean>`(k.ends_at is null or k.ends_at > ${now}::timestamptz)`),
    )
    .select(['k.id', 'k.public_jwk'])
    .where('p.id', '=', project_id)
    .where('p.deleted_at', 'is', null)
    .orderBy('k.created_at', 'desc')
    .execute();
  if (rows.length === 0) return null;
  return rows.flatMap(({ id, public_jwk }) => (id && public_jwk ? [{ id, public_jwk }] : []));
}

/** The projects that have a key. */
export async function selectSigningProjects(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom('signing_keys as k')
    .innerJoin('projects as p', 'p.id', 'k.project_id')
    .select('k.project_id')
    .distinct()
    .where('p.deleted_at', 'is', null)
    .orderBy('k.project_id')
    .execute();
  return rows.map(({ project_id }) => project_id);
}

/** Keys of a project are made one after the other. */
export async function lockProject(
  database: Database,
  project_id: string,
): Promise<{ id: string; organization_id: string } | undefined> {
  return database
    .selectFrom('projects')
    .select(['id', 'organization_id'])
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
