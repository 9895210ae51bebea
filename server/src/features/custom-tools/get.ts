// Reads one tool.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { selectTool } from './store.ts';
import { showTool, type ToolAnswer } from './tool.ts';

export async function getTool(app: App, caller: Caller, id: string): Promise<ToolAnswer> {
  const row = await selectTool(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showTool(row, app.now());
}
