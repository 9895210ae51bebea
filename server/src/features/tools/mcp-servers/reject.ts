// Rejects pending tools of an MCP server: their definitions as they are now are not offered again.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { ToolRejection } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { findPending } from './approve.ts';
import { markRejected } from './listed-store.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { lockServer, selectServer } from './store.ts';

export async function rejectTools(
  app: App,
  caller: Caller,
  id: string,
  { tool_names }: ToolRejection,
): Promise<McpServer> {
  return withLockedRow(app, caller, id, lockServer, async (app, row) => {
    const pending = await findPending(app, row, tool_names);
    const names = pending.map(({ upstream_name }) => upstream_name);
    await markRejected(app.database, row, names);
    const saved = (await selectServer(app.database, row.project_id, id)) as ServerRow;
    const data = showServer(saved);
    const [before, after] = [auditServer(row), { ...auditServer(saved), rejected: names }];
    await recordChange(app, caller, { type: 'mcp_server.tools_rejected', target_id: id, data, before, after });
    return data;
  });
}
