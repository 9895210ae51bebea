// Approves pending tools of an MCP server, all of the named ones or none: new ones become tools of the project, changed ones get their new
// definition. From then on the approved definition is what models see.

import type { CustomToolChange } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { ToolApproval } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { blocksApproval, MAX_SERVER_TOOLS } from '@toolgate/contract/mcp-servers/rules.ts';
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
import { saveUpdates } from '../catalogue/update.ts';
import { recordChange } from './events.ts';
import { auditServer, type ServerRow, showServer } from './mcp-server.ts';
import { toolNameFor } from './names.ts';
import { lockServer, selectServer } from './store.ts';
import { type ListedRow, lockToolsOfServer, markApproved, selectPending } from './tool-store.ts';
import { fieldsOf, isReadOnly, toolOf, type UpstreamFields } from './upstream-definition.ts';

/** Tools that are written in one statement. */
const CHUNK = 50;

export async function approveTools(app: App, caller: Caller, id: string, input: ToolApproval): Promise<McpServer> {
  const { id: project_id, fairness_key } = projectOf(caller);
  const server = await getRow(app, caller, id, selectServer);
  const pending = await findPending(app, server, input.tool_names);
  refuseOutdated(pending, input.hashes);
  refuseBlocked(pending);
  refuseUnknownNames(pending, Object.keys(input.rename), 'rename');
  // Before the rows are locked: compiling takes time, and other requests must not wait for it.
  for (const { definition } of pending) await compileSchemas(fairness_key, toolOf(server, 'tool', definition));
  return transact(app, async (app) => {
    const row = await lockServer(app.database, project_id, id);
    if (!row) throw refuse.notFound();
    await refuseChangedSince(app, row, pending);
    await save(app, caller, row, pending, input);
    await markApproved(
      app.database,
      row,
      pending.map(({ upstream_name }) => upstream_name),
    );
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
): Promise<ListedRow[]> {
  const names = tool_names === 'all' ? null : [...new Set(tool_names)];
  const limit = MAX_SERVER_TOOLS + 1;
  const pending = await selectPending(app.database, server, { names, limit });
  if (pending.length === limit)
    throw refuse.limitReached({ details: { limit: MAX_SERVER_TOOLS, reason: 'too_many_server_tools' } });
  if (names) refuseUnknownNames(pending, names, 'tool_names');
  return pending;
}

function refuseUnknownNames(pending: ListedRow[], names: string[], field: string): void {
  const known = new Set(pending.map(({ upstream_name }) => upstream_name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw invalidField(field, 'must be names of pending tools', { reason: 'tool_not_pending', value: unknown });
}

function refuseOutdated(pending: ListedRow[], hashes: Record<string, string>): void {
  refuseUnknownNames(pending, Object.keys(hashes), 'hashes');
  const other = pending.find(
    ({ upstream_name, hash }) => Object.hasOwn(hashes, upstream_name) && hashes[upstream_name] !== hash,
  );
  if (other) throw refuse.pendingToolChanged({ details: { field: 'hashes', value: other.upstream_name } });
}

function refuseBlocked(pending: ListedRow[]): void {
  const blocked = pending.find(({ warnings }) => warnings.some(({ code }) => blocksApproval(code)));
  if (blocked)
    throw invalidField('tool_names', 'must not name a tool whose definition breaks the rules for schemas', {
      reason: 'definition_not_approvable',
      value: blocked.upstream_name,
    });
}

/** A sync may have found other definitions since they were read and compiled. */
async function refuseChangedSince(app: App, row: ServerRow, pending: ListedRow[]): Promise<void> {
  const names = pending.map(({ upstream_name }) => upstream_name);
  const now = await selectPending(app.database, row, { names, limit: names.length });
  const hashes = new Map(now.map(({ upstream_name, hash }) => [upstream_name, hash]));
  const other = pending.find(({ upstream_name, hash }) => hashes.get(upstream_name) !== hash);
  if (other) throw refuse.pendingToolChanged({ details: { field: 'tool_names', value: other.upstream_name } });
}

async function save(
  app: App,
  caller: Caller,
  server: ServerRow,
  pending: ListedRow[],
  { rename, is_enabled }: Pick<ToolApproval, 'rename' | 'is_enabled'>,
): Promise<void> {
  const names = pending.map(({ upstream_name }) => upstream_name);
  const found = await lockToolsOfServer(app.database, server, names);
  const ids = found.map(({ id }) => id);
  const tools = ids.length > 0 ? await lockTools(app.database, server.project_id, 'id', ids) : [];
  const byName = Map.groupBy(tools, ({ source }) => source?.upstream_name ?? '');
  const fresh = pending.filter(({ upstream_name }) => !byName.has(upstream_name));
  // A server may call a tool `constructor`.
  const newNames = new Map(Object.entries(rename));
  const nameOf = ({ upstream_name }: ListedRow) =>
    newNames.get(upstream_name) ?? toolNameFor(server.slug, upstream_name);
  await refuseCollisions(
    app,
    server,
    fresh.map((each) => ({ upstream_name: each.upstream_name, name: nameOf(each) })),
  );
  for (let from = 0; from < fresh.length; from += CHUNK) {
    const chunk = fresh.slice(from, from + CHUNK).map((each) => ({
      definition: toolOf(server, nameOf(each), each.definition),
      tags: [],
      weight: 1,
      is_enabled,
      secret: null,
    }));
    await saveNewTools(app, caller, chunk);
  }
  const updates = pending.flatMap((each) =>
    (byName.get(each.upstream_name) ?? []).map((row, index) => ({
      row,
      // Among several copies, the first is renamed.
      change: {
        ...changeOf(row, each, index === 0 ? newNames.get(each.upstream_name) : undefined),
        is_enabled,
      },
    })),
  );
  if (updates.length > 0) await saveUpdates(app, caller, updates);
}

/** What the project itself changed stays: only what is as it was approved before follows the server. */
function changeOf(row: ToolRow, { definition, approved }: ListedRow, name: string | undefined): CustomToolChange {
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
  };
}

/** Also between the tools that are approved together. */
async function refuseCollisions(
  app: App,
  { project_id }: ServerRow,
  given: { upstream_name: string; name: string }[],
): Promise<void> {
  const taken = new Set(await selectAllToolNames(app.database, project_id));
  for (const { upstream_name, name } of given) {
    if (taken.has(name)) throw refuse.nameTaken({ details: { field: `rename.${upstream_name}`, value: name } });
    taken.add(name);
  }
}

/**
 * For servers with `read_only_auto`: new tools whose hints say that they change nothing, and about which there is no warning. Never one
 * that a person deleted or rejected before, whatever its definition is now.
 */
export async function approveReadOnly(app: App, project: Project, id: string): Promise<McpServer> {
  const caller: Caller = { kind: 'root', project, is_system: true };
  const server = await getRow(app, caller, id, selectServer);
  const pending = await selectPending(app.database, server, { limit: MAX_SERVER_TOOLS });
  const names = pending
    .filter(({ approved_hash, rejected_hashes }) => approved_hash === null && rejected_hashes.length === 0)
    .filter(({ definition, warnings }) => warnings.length === 0 && isReadOnly(definition))
    .map(({ upstream_name }) => upstream_name);
  const approve = (tool_names: string[]) =>
    approveTools(app, caller, id, { tool_names, rename: {}, hashes: {}, is_enabled: true }).catch((error: unknown) => {
      // A name that is taken, or a limit: such a tool waits for a person.
      if (error instanceof ApiError && error.status < 500) return null;
      throw error;
    });
  if (names.length > 0 && (await approve(names)) === null) for (const name of names) await approve([name]);
  return showServer(await getRow(app, caller, id, selectServer));
}
