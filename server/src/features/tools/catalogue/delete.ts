// Deletes tools with their versions.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { removeFromHooks } from '../hooks/store.ts';
import { removeFromLimits } from '../limits/store.ts';
import { keepToolsOfTasks } from '../tasks/keep-tools.ts';
import { removeFromToolsets } from '../toolsets/membership.ts';
import { requireTool } from './find.ts';
import { deleteToolRows, lockTool } from './store.ts';
import { auditTool, recordChanges, summarizeTool, type ToolRow } from './tool.ts';

export async function deleteTool(app: App, caller: Caller, id_or_name: string): Promise<void> {
  const project_id = projectOf(caller).id;
  const { id } = await requireTool(app.database, project_id, id_or_name);
  await transact(app, async (app) => {
    const row = await lockTool(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    await deleteLocked(app, caller, [row]);
  });
}

/** The rows must be locked. */
export async function deleteLocked(app: App, caller: Caller, rows: ToolRow[]): Promise<void> {
  const project_id = projectOf(caller).id;
  const ids = rows.map(({ id }) => id);
  await removeFromHooks(app.database, project_id, ids);
  await removeFromLimits(app.database, project_id, ids);
  await removeFromToolsets(app.database, project_id, ids);
  await keepToolsOfTasks(app, project_id, rows);
  await deleteToolRows(app.database, project_id, ids);
  app.changes.add(project_id);
  const changes = rows.map((row) => {
    const before = auditTool(row, app.now());
    return { type: 'custom_tool.deleted' as const, target_id: row.id, data: summarizeTool(row), before };
  });
  await recordChanges(app, caller, changes);
}
