// SQL of projects and organizations.

import { sql } from 'kysely';
import type { Project } from '../../../access/caller.ts';
import { projectColumns as columns, toProject } from '../../../access/project.ts';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';

export async function insertProject(
  database: Database,
  project: Pick<
    Row<'projects'>,
    | 'id'
    | 'organization_id'
    | 'quota_group_id'
    | 'is_made_by_operator'
    | 'name'
    | 'environment'
    | 'plan'
    | 'requests_per_hour'
  >,
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

export type ProjectPageQuery = PageQuery & { is_archived?: boolean | undefined };

/** For an organization; null: every project of the installation, for the root key only. */
export async function pageOfProjects(
  database: Database,
  organization_id: string | null,
  { is_archived, ...query }: ProjectPageQuery,
) {
  let projects = database.selectFrom('projects').select(columns).where('deleted_at', 'is', null);
  if (organization_id !== null) projects = projects.where('organization_id', '=', organization_id);
  if (is_archived !== undefined) projects = projects.where('is_archived', '=', is_archived);
  const page = await readPage(projects, 'projects', query);
  return { ...page, rows: page.rows.map(toProject) };
}

/** Whether the organization has any project; without one: the installation, for the operator's start message. */
export async function existsProject(database: Database, organization_id?: string): Promise<boolean> {
  let query = database.selectFrom('projects').select('id').where('deleted_at', 'is', null).limit(1);
  if (organization_id !== undefined) query = query.where('organization_id', '=', organization_id);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function updateProjectRow(
  database: Database,
  project_id: string,
  change: Change<
    'projects',
    'name' | 'environment' | 'is_archived' | 'plan' | 'requests_per_hour' | 'quota_group_id'
  > & {
    settings?: string;
  },
): Promise<Project> {
  const row = await database
    .updateTable('projects')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toProject(row);
}

/** Returns whether it was the first time. */
export async function setConnectedAt(
  database: Database,
  project_id: string,
  mcp_connected_at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('projects')
    .set({ mcp_connected_at })
    .where('id', '=', project_id)
    .where('mcp_connected_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Only one transaction at a time changes the project; rows that refer to it can still be written. */
export async function lockProject(database: Database, project_id: string): Promise<Project | null> {
  const row = await database
    .selectFrom('projects')
    .select(columns)
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? toProject(row) : null;
}

/**
 * Only one transaction at a time changes the members or the plan of a quota group. Lock order: the group before any of its
 * projects.
 */
export async function lockQuotaGroup(database: Database, quota_group_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${quota_group_id}, 0))`.execute(database);
}

export async function countProjectsOfGroup(database: Database, quota_group_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('projects')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('quota_group_id', '=', quota_group_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Only one transaction at a time adds a project of people to the organization. Returns how many it has, without the operator's. */
export async function lockAndCountProjects(database: Database, organization_id: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`projects ${organization_id}`}, 0))`.execute(database);
  const { count } = await database
    .selectFrom('projects')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('is_made_by_operator', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Sets the plan of the first project on the other projects of its group. Returns those. */
export async function updatePlanOfSiblings(
  database: Database,
  { id, plan, requests_per_hour }: Project,
): Promise<{ before: Project; after: Project }[]> {
  const siblings = await database
    .selectFrom('projects')
    .select(columns)
    .where('quota_group_id', '=', id)
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .execute();
  const changed: { before: Project; after: Project }[] = [];
  for (const row of siblings) {
    const after = await updateProjectRow(database, row.id, { plan, requests_per_hour });
    changed.push({ before: toProject(row), after });
  }
  return changed;
}

/** Locks the row, so that concurrent changes to the settings are all kept. Events can still be recorded. */
export async function lockStoredSettings(
  database: Database,
  project_id: string,
): Promise<Record<string, unknown> | null> {
  const row = await database
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.settings ?? null;
}

export async function markDeleted(database: Database, project_id: string, deleted_at: string): Promise<Project | null> {
  const row = await database
    .updateTable('projects')
    .set({ deleted_at })
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
  return row ? toProject(row) : null;
}

/** The organization of the operator; a migration created it. */
export async function firstOrganization(database: Database): Promise<string> {
  const { id } = await database
    .selectFrom('organizations')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

export async function selectDeletedBefore(database: Database, before: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Foreign keys delete everything that belongs to it. */
export async function deleteProjectRow(database: Database, project_id: string): Promise<void> {
  await database.deleteFrom('projects').where('id', '=', project_id).execute();
}

/** Prevents their deletion until the transaction ends. Returns the slugs that exist. */
export async function lockToolsetSlugs(
  database: Database,
  project_id: string,
  slugs: readonly string[],
): Promise<string[]> {
  const rows = await database
    .selectFrom('toolsets')
    .select('slug')
    .where('project_id', '=', project_id)
    .where('slug', 'in', slugs)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return rows.map(({ slug }) => slug);
}
