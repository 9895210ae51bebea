// Finds a tool by its id or its name. An id wins: a name may look like one.

import { isToolName } from '@toolgate/contract/custom-tools/rules.ts';
import type { Database } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { selectTool } from './store.ts';
import type { ToolRow } from './tool.ts';

/** `select` reads the tool of the project with this id, or this name. */
export async function findTool<Row extends ToolRow>(
  id_or_name: string,
  select: (by: 'id' | 'name') => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!mayBeTool(id_or_name)) return undefined;
  const byId = id_or_name.startsWith('tool_') ? await select('id') : undefined;
  return byId ?? select('name');
}

/** No id and no name is longer or has other characters. */
export const mayBeTool = (id_or_name: string) => isToolName(id_or_name);

export async function requireTool(database: Database, project_id: string, id_or_name: string): Promise<ToolRow> {
  const row = await findTool(id_or_name, (by) => selectTool(database, project_id, by, id_or_name));
  if (!row) throw refuse.notFound();
  return row;
}
