// Serves /projects/{id}/mcp-servers.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { ApprovedTool } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { mcpServerRoutes } from '@toolgate/contract/mcp-servers/routes.ts';
import type { ViewHtml } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { approveTools } from './approve.ts';
import { approveIssuer } from './approve-issuer.ts';
import { createServer } from './create.ts';
import { deleteServer } from './delete.ts';
import { showServer } from './mcp-server.ts';
import { listPending } from './pending.ts';
import { rejectTools } from './reject.ts';
import { pageOfServers, selectServer } from './store.ts';
import { syncServer } from './sync.ts';
import { selectApproved } from './tool-store.ts';
import { updateServer } from './update.ts';
import { selectViewHtml } from './view-store.ts';

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
      getMcpServerView: (app, { caller, params, query }) => getView(app, caller, params.mcp_server_id, query.sha256),
      approveTools: (app, { caller, params, body }) => approveTools(app, caller, params.mcp_server_id, body),
      approveServerIssuer: (app, { caller, params, body }) => approveIssuer(app, caller, params.mcp_server_id, body),
      rejectTools: (app, { caller, params, body }) => rejectTools(app, caller, params.mcp_server_id, body),
    },
    // It waits for the server meanwhile.
    { syncMcpServer: { database_permit: false } },
  );
}

async function listServers(app: App, caller: Caller, query: PageQuery): Promise<Page<McpServer>> {
  const page = await pageOfServers(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showServer));
}

/** Sorted by the name at the server, then by id; the cursor is the last of both. */
async function listApproved(
  app: App,
  caller: Caller,
  id: string,
  { limit, cursor = '' }: PageQuery,
): Promise<Page<ApprovedTool>> {
  const server = await getRow(app, caller, id, selectServer);
  const rows = await selectApproved(app.database, server, { after: cursor, limit: limit + 1 });
  const data = rows.slice(0, limit).map(({ position: _, ...tool }) => tool);
  const has_more = rows.length > limit;
  return { object: 'list', data, has_more, next_cursor: has_more ? (rows[limit - 1]?.position ?? null) : null };
}

/** As text in JSON: nothing that a browser would render. */
async function getView(app: App, caller: Caller, id: string, sha256: string): Promise<ViewHtml> {
  const server = await getRow(app, caller, id, selectServer);
  const html = await selectViewHtml(app.database, server, sha256);
  if (!html) throw refuse.notFound();
  return { object: 'mcp_server_view', sha256, size: html.length, html: html.toString() };
}
