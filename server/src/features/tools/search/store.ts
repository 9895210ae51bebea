// SQL of search: the texts of all tools of a project, and whether they are still the same.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

/** The same as long as no tool of the project was added, deleted, or changed in what search reads. */
export async function selectFingerprint(database: Database, project_id: string): Promise<string> {
  const { fingerprint } = await database
    .selectFrom('custom_tools')
    .select(
      sql<string | null>`md5(string_agg(id || definition_hash || array_to_string(tags, ','), ' ' order by id))`.as(
        'fingerprint',
      ),
    )
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  return fingerprint ?? '';
}

/** One page, by id. The names of arguments are read here, since the schemas are large; fixed ones are no business of a model. */
export async function selectTexts(database: Database, project_id: string, after: string, limit: number) {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'name', 'title', 'description', 'tags'])
    .select(
      sql<string[]>`array(
        select json_object_keys(
          case json_typeof(input_schema -> 'properties') when 'object' then input_schema -> 'properties' end
        ) except select json_object_keys(fixed_arguments)
      )`.as('arguments'),
    )
    .where('project_id', '=', project_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
