// Which tools a limit or a hook matches: how the choice of a request is stored, and how it is shown.

import type { ToolMatch } from '@toolgate/contract/limits/match.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Database, Row } from '../../../database/tables.ts';
import { invalidField } from '../../../errors/errors.ts';
import { refuseUnknownTools } from '../../policies/tools/known-tools.ts';

export type MatchColumns = Pick<Row<'tool_limits'>, 'tool_ids' | 'toolset_id' | 'tags'>;

/** The columns of what was given, if everything that it names exists. */
export async function checkMatch(app: App, project_id: string, match: ToolMatch): Promise<MatchColumns> {
  await refuseUnknownTools(app, project_id, { 'match.tool_ids': match?.tool_ids });
  return {
    tool_ids: match?.tool_ids ?? null,
    toolset_id: match?.toolset === undefined ? null : await requireToolset(app, project_id, match.toolset),
    tags: match?.tags ?? null,
  };
}

async function requireToolset({ database }: App, project_id: string, slug: string): Promise<string> {
  const id = await selectToolsetId(database, project_id, slug);
  if (id === undefined)
    throw invalidField('match.toolset', "must be the slug of one of this project's toolsets", {
      reason: 'toolset_of_limit_unknown',
      value: slug,
    });
  return id;
}

async function selectToolsetId(database: Database, project_id: string, slug: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('toolsets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row?.id;
}

/** The slug of the toolset that a row matches, as `toolset`. */
export const matchedToolset = (table: 'hooks' | 'tool_limits', project_id: string) =>
  sql<string | null>`(
    select s.slug from toolsets s where s.id = ${sql.ref(`${table}.toolset_id`)} and s.project_id = ${project_id}
  )`.as('toolset');

/** `toolset`: the slug of the toolset that is matched. */
type Shown = { tool_ids: string[] } | { toolset: string } | { tags: string[] } | null;

export function showMatch({ tool_ids, toolset_id, toolset, tags }: MatchColumns & { toolset: string | null }): Shown {
  if (tool_ids !== null) return { tool_ids };
  // A toolset that is gone has no tools: that is not every tool.
  if (toolset_id !== null) return toolset === null ? { tool_ids: [] } : { toolset };
  return tags && { tags };
}
