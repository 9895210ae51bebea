// Enables or disables tools. Neither makes a new version.

import type { CustomTool } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { type Caller, hasPermission, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { checkDestinations } from './member-token-destination.ts';
import { setEnabledRows } from './store.ts';
import { recordChanges, type ToolRow } from './tool.ts';
import { toolChanges, updateTool } from './update.ts';

export async function setToolEnabled(
  app: App,
  caller: Caller,
  id_or_name: string,
  is_enabled: boolean,
): Promise<CustomTool> {
  return updateTool(app, caller, id_or_name, { is_enabled });
}

/** The rows must be locked. Returns those that changed. */
export async function setEnabledLocked(
  app: App,
  caller: Caller,
  rows: ToolRow[],
  is_enabled: boolean,
): Promise<ToolRow[]> {
  const project_id = projectOf(caller).id;
  const old = new Map(rows.filter((row) => row.is_enabled !== is_enabled).map((row) => [row.id, row]));
  if (old.size === 0) return [];
  const updated_at = new Date(app.now()).toISOString();
  const changed = await setEnabledRows(app.database, project_id, [...old.keys()], {
    is_enabled,
    updated_at,
    // As with every other save of what is for admins in production: toolApproval().
    ...(is_enabled && !hasPermission(caller, 'admin') ? { is_approved: false as const } : {}),
  });
  await checkDestinations(
    app,
    caller,
    changed.map((saved) => ({ old: old.get(saved.id) as ToolRow, saved })),
  );
  app.changes.add(project_id);
  const changes = changed.flatMap((row) => toolChanges(app, old.get(row.id) as ToolRow, row));
  await recordChanges(app, caller, changes);
  return changed;
}
