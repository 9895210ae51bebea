// SQL of imports: which tools are there already, and which came from the document.

import type { Database } from '../../../database/tables.ts';

/** Returns those of the names that the project has already. */
export async function selectTakenNames(database: Database, project_id: string, names: string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('custom_tools')
    .select('name')
    .where('project_id', '=', project_id)
    .where((is) => is('name', '=', is.fn.any(is.val(names))))
    .execute();
  return rows.map(({ name }) => name);
}

/** `ids` must not be empty. */
export async function setImportedFrom(
  database: Database,
  project_id: string,
  ids: string[],
  imported_from: string,
): Promise<void> {
  await database
    .updateTable('custom_tools')
    .set({ imported_from })
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
}

/** Tools of this document with one of these base URLs and none of these names. */
export async function selectOtherTools(
  database: Database,
  project_id: string,
  {
    imported_from,
    base_urls,
    names,
    limit,
  }: { imported_from: string; base_urls: string[]; names: string[]; limit: number },
) {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'name', 'method', 'base_url', 'endpoint_path', 'auth_strategy', 'is_enabled', 'version'])
    .select(['definition_hash', 'title', 'annotations'])
    .select((is) => is('output_schema', 'is not', null).$castTo<boolean>().as('has_output_schema'))
    .where('project_id', '=', project_id)
    .where('imported_from', '=', imported_from)
    .where((is) => is('base_url', '=', is.fn.any(is.val(base_urls))))
    .where((is) => is.not(is('name', '=', is.fn.any(is.val(names)))))
    .orderBy('name')
    .limit(limit)
    .execute();
}
