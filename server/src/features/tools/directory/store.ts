// SQL of directories: submissions, and the tools that are checked.

import type { SetAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { Directory } from '@toolgate/contract/directories/rules.ts';
import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import type { ChangedTool } from './drift.ts';
import type { SubmissionRow } from './submission.ts';
import type { CheckedTool } from './tool-checks.ts';

const columns = ['id', 'project_id', 'for', 'version', 'tool_count', 'created_by', 'created_at'] as const;

const ofProject = (database: Database, project_id: string) =>
  database.selectFrom('directory_submissions').select(columns).where('project_id', '=', project_id);

export async function pageOfSubmissions(
  database: Database,
  project_id: string,
  { for: directory, ...query }: PageQuery & { for?: Directory | undefined },
) {
  const submissions = ofProject(database, project_id);
  return readPage(
    directory === undefined ? submissions : submissions.where('for', '=', directory),
    'directory_submissions',
    query,
  );
}

export async function selectLastSubmission(
  database: Database,
  project_id: string,
  directory: Directory,
): Promise<SubmissionRow | undefined> {
  return ofProject(database, project_id)
    .where('for', '=', directory)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Those that are enabled. */
export async function countTools(database: Database, project_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from custom_tools where project_id = ${project_id} and is_enabled`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

/** With the definitions of the tools that are enabled now. Call while the project is locked. */
export async function insertSubmission(
  database: Database,
  submission: Omit<SubmissionRow, 'tool_count' | 'created_at'>,
): Promise<SubmissionRow> {
  const { id, project_id } = submission;
  const tool_count = await countTools(database, project_id);
  const row = await database
    .insertInto('directory_submissions')
    .values({ ...submission, tool_count })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await sql`
    insert into directory_submission_tools (submission_id, tool_id, project_id, name, definition_hash)
    select ${id}, t.id, t.project_id, t.name, t.definition_hash
    from custom_tools t where t.project_id = ${project_id} and t.is_enabled`.execute(database);
  return row;
}

/** Only the last submission to a directory is compared, so only its definitions are kept; and only the newest submissions. */
export async function deleteOlder(database: Database, { id, project_id, for: directory }: SubmissionRow, kept: number) {
  await sql`
    delete from directory_submission_tools where submission_id in (
      select s.id from directory_submissions s
      where s.project_id = ${project_id} and s."for" = ${directory} and s.id <> ${id}
    ) and project_id = ${project_id}`.execute(database);
  await sql`
    delete from directory_submissions where project_id = ${project_id} and id in (
      select s.id from directory_submissions s where s.project_id = ${project_id} and s."for" = ${directory}
      order by s.created_at desc, s.id desc offset ${kept}
    )`.execute(database);
}

/** The first of what differs from the submission, by name, and how many differ. */
export async function selectChangedTools(
  database: Database,
  project_id: string,
  submission_id: string,
  most: number,
): Promise<{ tools: ChangedTool[]; total: number }> {
  const { rows } = await sql<ChangedTool & { total: number }>`
    select coalesce(t.id, s.tool_id) as tool_id, coalesce(t.name, s.name) as name, count(*) over ()::integer as total,
      case when s.tool_id is null then 'added' when t.id is null then 'removed' else 'changed' end as kind
    from (
      select id, name, definition_hash from custom_tools where project_id = ${project_id} and is_enabled
    ) t full join (
      select tool_id, name, definition_hash from directory_submission_tools
      where project_id = ${project_id} and submission_id = ${submission_id}
    ) s on s.tool_id = t.id
    where t.definition_hash is distinct from s.definition_hash
    order by 2, 1 limit ${most}`.execute(database);
  return { tools: rows.map(({ total: _, ...tool }) => tool), total: rows[0]?.total ?? 0 };
}

/** The enabled tools whose names come after `after`. */
export async function selectToolsToCheck(
  database: Database,
  project_id: string,
  after: string,
  most: number,
): Promise<CheckedTool[]> {
  const rows = await database
    .selectFrom('custom_tools')
    .select(['id', 'name', 'title', 'description', 'method', 'annotations', 'confirm'])
    .where('project_id', '=', project_id)
    .where('is_enabled', '=', true)
    .where('name', '>', after)
    .orderBy('name')
    .limit(most)
    .execute();
  return rows.map((row) => ({ ...row, annotations: row.annotations as SetAnnotations | null }));
}
