// Reads one tool.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { requireTool } from './find.ts';
import { showTool, type ToolAnswer } from './tool.ts';

export async function getTool(app: App, caller: Caller, id_or_name: string): Promise<ToolAnswer> {
  return showTool(await requireTool(app.database, projectOf(caller).id, id_or_name), app.now());
}
