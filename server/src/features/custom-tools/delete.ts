// Deletes a tool with its versions.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { recordChange } from './events.ts';
import { deleteToolRow, lockTool } from './store.ts';
import { auditTool, summarizeTool } from './tool.ts';

export async function deleteTool(app: App, caller: Caller, id: string): Promise<void> {
  const project_id = projectOf(caller).id;
  await transact(app, async (app) => {
    const row = await lockTool(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    await deleteToolRow(app.database, project_id, id);
    app.changes.add(project_id);
    const before = auditTool(row, app.now());
    await recordChange(app, caller, { type: 'custom_tool.deleted', target_id: id, data: summarizeTool(row), before });
  });
}
