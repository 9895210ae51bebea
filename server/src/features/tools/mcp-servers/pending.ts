// The tools of an MCP server that wait for approval.

import type { PendingTool } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import type { Page, PageQuery } from '../../../database/page.ts';
import { diffDefinitions } from './diff.ts';
import type { ServerRow } from './mcp-server.ts';
import { toolNameFor } from './names.ts';
import { inPieces } from './pieces.ts';
import { selectServer } from './store.ts';
import { type DefinitionRow, selectDefinitions, selectPending, selectToolNamesOf } from './tool-store.ts';
import { viewOf } from './upstream-definition.ts';

/** Sorted by name; the cursor is the last name. A page ends at its limit, or before its definitions have 256 KiB, and has at least one entry. */
export async function listPending(
  app: App,
  caller: Caller,
  id: string,
  { limit, cursor = '' }: PageQuery,
): Promise<Page<PendingTool>> {
  const server = await getRow(app, caller, id, selectServer);
  const pending = await selectPending(app.database, server, { after: cursor, limit: limit + 1 });
  const [piece = []] = inPieces(pending.slice(0, limit));
  const names = piece.map(({ upstream_name }) => upstream_name);
  const rows = await selectDefinitions(app.database, server, names);
  const toolNames = await selectToolNamesOf(app.database, { project_id: projectOf(caller).id, id });
  const data = rows.map((row) => showPending(server, row, toolNames.get(row.upstream_name)));
  const has_more = piece.length < pending.length;
  return { object: 'list', data, has_more, next_cursor: has_more ? (names.at(-1) ?? null) : null };
}

function showPending({ slug }: ServerRow, row: DefinitionRow, name?: string): PendingTool {
  const { upstream_name, definition, hash, warnings } = row;
  const approved = row.has_tool ? row.approved : null;
  return {
    upstream_name,
    name: name ?? toolNameFor(slug, upstream_name),
    kind: row.has_tool ? 'changed' : 'new',
    definition,
    approved,
    diff: approved === null ? [] : diffDefinitions(approved, definition),
    view: viewOf(definition),
    approved_view: approved && viewOf(approved),
    hash,
    warnings,
  };
}
