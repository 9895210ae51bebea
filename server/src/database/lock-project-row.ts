// Two transactions that change tools, toolsets and limits of a project at the same time do not see each other's change, so they take
// turns. What only references the project, such as a new key, does not wait.

import type { Database } from './tables.ts';

export async function lockProjectRow(database: Database, project_id: string): Promise<void> {
  await database.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute();
}
