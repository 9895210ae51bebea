// Takes a deleted member out of what they created: a member who signed in by OAuth may have permissions on the management API.

import { DELETED_MEMBER } from '@toolgate/contract/members/rules.ts';
import type { Columns } from './columns.ts';
import type { Database } from './tables.ts';

type Created = {
  [T in keyof Columns]: Columns[T] extends { created_by: string; project_id: string } ? T : never;
}[keyof Columns];

/** Every table of a project that says who created its rows: one that is missing does not compile. */
const tables: Record<Created, true> = {
  api_keys: true,
  assertion_keys: true,
  custom_tools: true,
  custom_tool_versions: true,
  directory_submissions: true,
  hooks: true,
  integrations: true,
  log_streams: true,
  mcp_servers: true,
  oauth_clients: true,
  oauth_providers: true,
  tool_limits: true,
  toolsets: true,
  webhooks: true,
};

/** A session that creates a project gets a key of that project. */
const inOtherProjects: ReadonlySet<Created> = new Set(['api_keys']);

export async function forgetCreator(
  database: Database,
  { project_id, member_id }: { project_id: string; member_id: string },
): Promise<void> {
  for (const table of Object.keys(tables) as Created[])
    await database
      .updateTable(table)
      .set({ created_by: DELETED_MEMBER })
      .$if(!inOtherProjects.has(table), (query) => query.where('project_id', '=', project_id))
      .where('created_by', '=', member_id)
      .execute();
}
