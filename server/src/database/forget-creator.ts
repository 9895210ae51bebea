// Takes a deleted member out of what they created: a member who signed in by OAuth may have permissions on the management API.

import { DELETED_MEMBER } from '@toolgate/contract/members/rules.ts';
import { createdTables } from './columns.ts';
import type { Database } from './tables.ts';

/** A session that creates a project gets a key of that project. */
const inOtherProjects: ReadonlySet<string> = new Set(['api_keys']);

export async function forgetCreator(
  database: Database,
  { project_id, member_id }: { project_id: string; member_id: string },
): Promise<void> {
  for (const table of createdTables)
    await database
      .updateTable(table)
      .set({ created_by: DELETED_MEMBER })
      .$if(!inOtherProjects.has(table), (query) => query.where('project_id', '=', project_id))
      .where('created_by', '=', member_id)
      .execute();
}
