// The tools of an MCP server that wait for approval.

import type { PendingTool } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import type { Page, PageQuery } from '../../../database/page.ts';
import { diffDefinitions } from './diff.ts';
import type { ServerRow } from './mcp-server.ts';
import { toolNameFor } from './names.ts';
import { selectServer } from './store.ts';
import { type ListedRow, selectPending, selectToolNamesOf } from './tool-store.ts';

const MAX_PAGE_BYTES = 2 ** 20;

/** Sorted by name; the cursor is the last name. A page ends at its limit or at 1 MiB, and has at least one entry. */
export async function listPending(
  app: App,
  caller: Caller,
  id: string,
  { limit, cursor = '' }: PageQuery,
): Promise<Page<PendingTool>> {
  const server = await getRow(app, caller, id, selectServer);
  const rows = await selectPending(app.database, server, { after: cursor, limit: limit + 1 });
  const names = await selectToolNamesOf(app.database, { project_id: projectOf(caller).id, id });
  const shown = rows.slice(0, limit).map((row) => showPending(server, row, names.get(row.upstream_name)));
  let bytes = 0;
  const end = shown.findIndex((tool, index) => {
    bytes += Buffer.byteLength(JSON.stringify(tool));
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  const data = end === -1 ? shown : shown.slice(0, end);
  const has_more = data.length < rows.length;
  return { object: 'list', data, has_more, next_cursor: has_more ? (data.at(-1)?.upstream_name ?? null) : null };
}

function showPending({ slug }: ServerRow, row: ListedRow, name?: string): PendingTool {
  const { upstream_name, definition, hash, warnings } = row;
  const approved = row.has_tool ? row.approved : null;
  return {
    upstream_name,
    name: name ?? toolNameFor(slug, upstream_name),
    kind: row.has_tool ? 'changed' : 'new',
    definition,
    approved,
    diff: approved === null ? [] : diffDefinitions(approved, definition),
    hash,
    warnings,
  };
}
