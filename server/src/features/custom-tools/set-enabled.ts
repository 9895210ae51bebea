// Enables or disables a tool. Neither makes a new version.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { ToolAnswer } from './tool.ts';
import { updateTool } from './update.ts';

export async function setToolEnabled(app: App, caller: Caller, id: string, is_enabled: boolean): Promise<ToolAnswer> {
  return updateTool(app, caller, id, { is_enabled });
}
