// The tools of the project that come from an MCP server, with what was approved of each.

import type { ApprovedTool } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import type { Caller } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import type { Page, PageQuery } from '../../../database/page.ts';
import { selectServer } from './store.ts';
import { selectApproved } from './tool-store.ts';

/** Sorted by the name at the server, then by id; the cursor is the last of both. */
export async function listApproved(
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
