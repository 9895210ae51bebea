// SQL of projects and organizations.

import { sql } from 'kysely';
import type { Project } from '../../access/caller.ts';
import { type PageQuery, readPage } from '../../database/page.ts';
import type { Change, Database, Row } from '../../database/tables.ts';
import { projectColumns as columns, toProject } from './project.ts';

export async function insertProject(
  database: Database,
  project: Pick<Row<'projects'>, 'id' | 'organization_id' | 'name' | 'environment' | 'plan' | 'requests_per_hour'>,
): Promise<Project> {
  return toProject(
    await database
      .insertInto('projects')
      .values({ ...project, settings: '{}' })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
}

export async function selectProject(database: Database, project_id: string): Promise<Project | null> {
  const row = await database
    .selectFrom('projects')
    .select(columns)
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ? toProject(row) : null;
}

/** Every project of the installation: for the root key only. */
export async function pageOfProjects(database: Database, query: PageQuery) {
  const page = await readPage(
    database.selectFrom('projects').select(columns).where('deleted_at', 'is', null),
    'projects',
    query,
  );
  return { ...page, data: page.data.map(toProject) };
}

export async function updateProject(
  database: Database,
  project_id: string,
  change: Change<'projects', 'name' | 'environment' | 'plan' | 'requests_per_hour'> & { settings?: string },
): Promise<Project | null> {
  const row = await database
    .updateTable('projects')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
  return row ? toProject(row) : null;
}

/** Locks the row, so that two changes to the settings do not lose one another. */
export async function lockStoredSettings(
  database: Database,
  project_id: string,
): Promise<Record<string, unknown> | null> {
  const row = await database
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.settings ?? null;
}

export async function markDeleted(database: Database, project_id: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('projects')
    .set({ deleted_at: sql`clock_timestamp()` })
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The organization of whoever runs this installation, made with the schema. */
export async function firstOrganization(database: Database): Promise<string> {
  const { id } = await database
    .selectFrom('organizations')
    .select('id')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
