// Approves pending tools of an MCP server, all of the named ones or none: new ones become tools of the project, changed ones get their new
// definition. From then on the approved definition is what models see.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { ToolApproval } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { MAX_SERVER_TOOLS } from '@toolgate/contract/mcp-servers/rules.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, invalidField, refuse } from '../../../errors/errors.ts';
import { saveNewTools } from '../catalogue/create.ts';
import { compileSchemas } from '../catalogue/definition.ts';
import { refuseBeyondLimits } from '../catalogue/limits.ts';
import { lockTools, selectAllToolNames } from '../catalogue/store.ts';
import { definitionOf, type ToolRow } from '../catalogue/tool.ts';
import { saveUpdates, type ToolChange } from '../catalogue/update.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { toolNameFor } from './names.ts';
import { inPieces } from './pieces.ts';
import { lockServer, selectServer } from './store.ts';
import {
  type DefinitionRow,
  lockToolsOfServer,
  markApproved,
  type PendingRow,
  selectDefinitions,
  selectPending,
  selectReadOnlyNames,
} from './tool-store.ts';
import { fieldsOf, sourceOf, toolOf, type UpstreamFields } from './upstream-definition.ts';

/** Written in one statement. */
const TOOLS_AT_ONCE = 50;

export async function approveTools(app: App, caller: Caller, id: string, input: ToolApproval): Promise<McpServer> {
  const { id: project_id, fairness_key } = projectOf(caller);
  const server = await getRow(app, caller, id, selectServer);
  const pending = await findPending(app, server, input.tool_names);
  refuseOutdated(pending, input.hashes);
  refuseBlocked(pending);
  refuseUnknownNames(pending, Object.keys(input.rename), 'rename');
  // Before the rows are locked: compiling takes time, and other requests must not wait for it.
  for (const piece of inPieces(pending))
    for (const { definition } of await selectDefinitions(app.database, server, namesOf(piece)))
      await compileSchemas({ validators: app.validators, fairness_key }, toolOf(server, 'tool', definition));
  return transact(app, async (app) => {
    const row = await lockServer(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    await refuseChangedSince(app, row, pending);
    await save(app, caller, row, pending, input);
    await markApproved(app.database, row, namesOf(pending));
    app.changes.add(project_id);
    const saved = (await selectServer(app.database, project_id, id)) as ServerRow;
    if (saved.tool_count > MAX_SERVER_TOOLS)
      throw refuse.limitReached({ details: { limit: MAX_SERVER_TOOLS, reason: 'too_many_server_tools' } });
    await refuseBeyondLimits(app, project_id);
    const hashes = Object.fromEntries(pending.map(({ upstream_name, hash }) => [upstream_name, hash]));
    const data = showServer(saved);
    const [before, after] = [auditServer(row), { ...auditServer(saved), approved: hashes }];
    await recordChange(app, caller, { type: 'mcp_server.tools_approved', target_id: id, data, before, after });
    return data;
  });
}

/** Those that were named, or all. */
export async function findPending(
  app: App,
  server: ServerRow,
  tool_names: ToolApproval['tool_names'],
): Promise<PendingRow[]> {
  const names = tool_names === 'all' ? null : [...new Set(tool_names)];
  const limit = MAX_SERVER_TOOLS + 1;
  const pending = await selectPending(app.database, server, { names, limit });
  if (pending.length === limit)
    throw refuse.limitReached({ details: { limit: MAX_SERVER_TOOLS, reason: 'too_many_server_tools' } });
  if (names) refuseUnknownNames(pending, names, 'tool_names');
  return pending;
}

const namesOf = (pending: { upstream_name: string }[]) => pending.map(({ upstream_name }) => upstream_name);

function refuseUnknownNames(pending: PendingRow[], names: string[], field: string): void {
  const known = new Set(pending.map(({ upstream_name }) => upstream_name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw invalidField(field, 'must be names of pending tools', { reason: 'tool_not_pending', value: unknown });
}

function refuseOutdated(pending: PendingRow[], hashes: Record<string, string>): void {
  refuseUnknownNames(pending, Object.keys(hashes), 'hashes');
  const other = pending.find(
    ({ upstream_name, hash }) => Object.hasOwn(hashes, upstream_name) && hashes[upstream_name] !== hash,
  );
  if (other) throw refuse.pendingToolChanged({ details: { field: 'hashes', value: other.upstream_name } });
}

function refuseBlocked(pending: PendingRow[]): void {
  const blocked = pending.find(({ is_blocked }) => is_blocked);
  if (blocked)
    throw invalidField('tool_names', 'must not include a tool that cannot be approved: see its warnings', {
      reason: 'definition_not_approvable',
      value: blocked.upstream_name,
    });
}

/** A sync may have found other definitions since they were read and compiled. */
async function refuseChangedSince(app: App, row: ServerRow, pending: PendingRow[]): Promise<void> {
  const names = namesOf(pending);
  const now = await selectPending(app.database, row, { names, limit: names.length });
  const hashes = new Map(now.map(({ upstream_name, hash }) => [upstream_name, hash]));
  const other = pending.find(({ upstream_name, hash }) => hashes.get(upstream_name) !== hash);
  if (other) throw refuse.pendingToolChanged({ details: { field: 'tool_names', value: other.upstream_name } });
}

/** In pieces: each takes some statements, and is prepared without a pause for the event loop. */
async function save(
  app: App,
  caller: Caller,
  server: ServerRow,
  pending: PendingRow[],
  { rename, is_enabled }: Pick<ToolApproval, 'rename' | 'is_enabled'>,
): Promise<void> {
  // All of them first, in the order of their ids.
  const found = await lockToolsOfServer(app.database, server, namesOf(pending));
  const existing = Map.groupBy(found, ({ source }) => source?.upstream_name ?? '');
  const taken = new Set(await selectAllToolNames(app.database, server.project_id));
  // A server may call a tool `constructor`.
  const names = new Map(Object.entries(rename));
  for (const piece of inPieces(pending, TOOLS_AT_ONCE)) {
    const rows = await selectDefinitions(app.database, server, namesOf(piece));
    const fresh = rows
      .filter(({ upstream_name }) => !existing.has(upstream_name))
      .map(({ upstream_name, definition }) => {
        const name = names.get(upstream_name) ?? toolNameFor(server.slug, upstream_name);
        // Also between the tools that are approved together.
        if (taken.has(name)) throw refuse.nameTaken({ details: { field: `rename.${upstream_name}`, value: name } });
        taken.add(name);
        return { definition: toolOf(server, name, definition), tags: [], weight: 1, is_enabled, secret: null };
      });
    if (fresh.length > 0) await saveNewTools(app, caller, fresh);
    const changed = rows.flatMap((row) =>
      // Among several copies, the first is renamed.
      (existing.get(row.upstream_name) ?? []).map(({ id }, index) => ({
        ...row,
        id,
        name: index === 0 ? names.get(row.upstream_name) : undefined,
      })),
    );
    for (const some of inPieces(changed, TOOLS_AT_ONCE)) await saveChanged(app, caller, server, some, is_enabled);
  }
}

/** The tool with this id, and the name that it gets; undefined: it keeps its name. */
type ChangedTool = DefinitionRow & { id: string; name: string | undefined };

async function saveChanged(
  app: App,
  caller: Caller,
  server: ServerRow,
  changed: ChangedTool[],
  is_enabled: boolean,
): Promise<void> {
  const ids = changed.map(({ id }) => id);
  const rows = await lockTools(app.database, projectOf(caller).id, 'id', ids);
  const tools = new Map(rows.map((tool) => [tool.id, tool]));
  const updates = changed.flatMap((each) => {
    const row = tools.get(each.id);
    return row ? [{ row, change: { ...changeOf(server, row, each), is_enabled } }] : [];
  });
  await saveUpdates(app, caller, updates);
}

/** What the project itself changed stays: only what is as it was approved before follows the server. */
function changeOf(server: ServerRow, row: ToolRow, { definition, approved, name }: ChangedTool): ToolChange {
  const now = fieldsOf(definition);
  const before: Partial<UpstreamFields> = approved ? fieldsOf(approved) : {};
  const own = definitionOf(row);
  const isOwn = (field: 'title' | 'description' | 'annotations') =>
    approved !== null && JSON.stringify(own[field]) !== JSON.stringify(before[field]);
  return {
    ...(name === undefined ? {} : { name }),
    ...(isOwn('title') ? {} : { title: now.title }),
    ...(isOwn('description') ? {} : { description: now.description }),
    ...(isOwn('annotations') ? {} : { annotations: now.annotations }),
    input_schema: now.input_schema,
    output_schema: now.output_schema,
    source: sourceOf(server, definition),
  };
}

/**
 * For servers with `read_only_auto`: new tools whose hints say that they change nothing, and about which there is no warning. Never one
 * that a person deleted or rejected before, whatever its definition is now.
 */
export async function approveReadOnly(app: App, project: Project, id: string): Promise<McpServer> {
  const caller: Caller = { kind: 'root', project, is_system: true };
  const server = await getRow(app, caller, id, selectServer);
  const names = await selectReadOnlyNames(app.database, server, MAX_SERVER_TOOLS);
  const approve = (tool_names: string[]) =>
    approveTools(app, caller, id, { tool_names, rename: {}, hashes: {}, is_enabled: true }).catch((error: unknown) => {
      // A name that is taken, or a limit: such a tool waits for a person.
      if (error instanceof ApiError && error.status < 500) return null;
      throw error;
    });
  if (names.length > 0 && (await approve(names)) === null) for (const name of names) await approve([name]);
  return showServer(await getRow(app, caller, id, selectServer));
}
