// Deletes an MCP server with its tools.

import { type Caller, projectOf } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { deleteServerProvider } from '../../oauth/providers/server-provider.ts';
import { deleteLocked } from '../catalogue/delete.ts';
import { lockTools } from '../catalogue/store.ts';
import { auditServer, recordChange, showServer } from './mcp-server.ts';
import { deleteServerRow, lockServer } from './store.ts';
import { lockToolsOfServer } from './tool-store.ts';

export async function deleteServer(app: App, caller: Caller, id: string): Promise<void> {
  return withLockedRow(app, caller, id, lockServer, async (app, row) => {
    const tools = await lockToolsOfServer(app.database, row, null);
    const ids = tools.map((tool) => tool.id);
    if (ids.length > 0) await deleteLocked(app, caller, await lockTools(app.database, projectOf(caller).id, 'id', ids));
    await deleteServerProvider(app, row);
    await deleteServerRow(app.database, row.project_id, id);
    const data = showServer(row);
    await recordChange(app, caller, { type: 'mcp_server.deleted', target_id: id, data, before: auditServer(row) });
  });
}
