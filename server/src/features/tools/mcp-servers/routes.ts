// Serves /projects/{id}/mcp-servers.

import { mcpServerRoutes } from '@toolgate/contract/mcp-servers/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { approveTools } from './approve.ts';
import { approveIssuer } from './approve-issuer.ts';
import { listApproved } from './approved.ts';
import { createServer } from './create.ts';
import { deleteServer } from './delete.ts';
import { listServers } from './list.ts';
import { showServer } from './mcp-server.ts';
import { listPending } from './pending.ts';
import { rejectTools } from './reject.ts';
import { selectServer } from './store.ts';
import { syncServer } from './sync.ts';
import { updateServer } from './update.ts';

export function serveMcpServers(server: Server, app: App): void {
  implement(
    server,
    app,
    mcpServerRoutes,
    {
      createMcpServer: (app, { caller, body }) => createServer(app, caller, body),
      listMcpServers: (app, { caller, query }) => listServers(app, caller, query),
      getMcpServer: async (app, { caller, params }) =>
        showServer(await getRow(app, caller, params.mcp_server_id, selectServer)),
      updateMcpServer: (app, { caller, params, body }) => updateServer(app, caller, params.mcp_server_id, body),
      deleteMcpServer: (app, { caller, params }) => deleteServer(app, caller, params.mcp_server_id),
      syncMcpServer: (app, { caller, params }) => syncServer(app, caller, params.mcp_server_id),
      listPendingTools: (app, { caller, params, query }) => listPending(app, caller, params.mcp_server_id, query),
      listApprovedTools: (app, { caller, params, query }) => listApproved(app, caller, params.mcp_server_id, query),
      approveTools: (app, { caller, params, body }) => approveTools(app, caller, params.mcp_server_id, body),
      approveServerIssuer: (app, { caller, params, body }) => approveIssuer(app, caller, params.mcp_server_id, body),
      rejectTools: (app, { caller, params, body }) => rejectTools(app, caller, params.mcp_server_id, body),
    },
    // It waits for the server meanwhile.
    { syncMcpServer: { database_permit: false } },
  );
}
