// Lists the MCP servers of a project.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showServer } from './mcp-server.ts';
import { pageOfServers } from './store.ts';

export async function listServers(app: App, caller: Caller, query: PageQuery): Promise<Page<McpServer>> {
  const page = await pageOfServers(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showServer));
}
