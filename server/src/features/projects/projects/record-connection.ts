// Writes when a model first connected to a project over MCP. The first steps of the dashboard wait for it.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { setConnectedAt } from './store.ts';

/** Not awaited: no request waits for this write. If it fails, a later request writes it. */
export function recordConnection(app: App, project: Project): void {
  if (project.mcp_connected_at !== null) return;
  // The requests of a credential share the cached project, so only the first one writes.
  project.mcp_connected_at = new Date(app.now()).toISOString();
  const { id, mcp_connected_at } = project;
  transact(app, async ({ database, changes }) => {
    if (await setConnectedAt(database, id, mcp_connected_at)) changes.add(id);
  }).catch((error: unknown) => app.log.warn({ err: error, project_id: id }, 'mcp_connected_at was not written'));
}
