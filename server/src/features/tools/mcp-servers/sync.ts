// Reads the tools of an MCP server and compares them with what is known. What was approved stays as it is: a new or changed definition waits
// for approval, and a tool that is gone is refused when it is called.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { selectAllToolNames } from '../catalogue/store.ts';
import { approveReadOnly } from './approve.ts';
import { recordChange } from './events.ts';
import { type SyncFailure, syncFailureOf } from './failure.ts';
import { prepareListed } from './listed-tools.ts';
import { auditServer, type ServerRow, showServer } from './mcp-server.ts';
import { readTools } from './read-tools.ts';
import { lockServer, selectServer, updateServerState } from './store.ts';
import { syncIssuer } from './sync-issuer.ts';
import { type ListedState, markMissing, type NewListed, selectListedStates, upsertListed } from './tool-store.ts';

/** Call it without a database permit. Throws a refusal if the list could not be read. */
export async function syncServer(app: App, caller: Caller, id: string): Promise<McpServer> {
  const project = projectOf(caller);
  const inProject = <T>(work: () => Promise<T>) => app.permits.run(project, work);
  const row = await inProject(() => selectServer(app.database, project.id, id));
  if (!row) throw refuse.notFound();
  const [found] = await Promise.all([read(app, project, row), syncIssuer(app, caller, row)]);
  if ('refusal' in found) {
    await inProject(() => saveFailure(app, caller, row, found));
    throw found.refusal;
  }
  const saved = await inProject(() => saveListed(app, caller, row, found));
  if (saved.review !== 'read_only_auto' || saved.pending_count === 0) return saved;
  return inProject(() => approveReadOnly(app, project, id));
}

type Found = { revision: string; listed: Map<string, NewListed> };

async function read(app: App, project: Project, row: ServerRow): Promise<Found | SyncFailure> {
  try {
    const { revision, tools } = await readTools(app, project, row);
    const names = await app.permits.run(project, () => selectAllToolNames(app.database, project.id));
    return { revision, listed: await prepareListed(row.slug, tools, new Set(names)) };
  } catch (error) {
    return syncFailureOf(error);
  }
}

const CHUNK = 200;

async function saveListed(app: App, caller: Caller, read: ServerRow, { revision, listed }: Found): Promise<McpServer> {
  return transact(app, async (app) => {
    const row = await lockServer(app.database, read.project_id, read.id);
    if (!row) throw refuse.notFound();
    // Its address was changed meanwhile: what was read is of another server.
    if (row.version !== read.version) return showServer(row);
    const states = await selectListedStates(app.database, row);
    const { changed, gone } = compare(states, listed);
    for (let from = 0; from < changed.length; from += CHUNK)
      await upsertListed(app.database, row, changed.slice(from, from + CHUNK));
    const now = new Date(app.now()).toISOString();
    await markMissing(app.database, row, gone, now);
    const state = { status: 'ok' as const, last_synced_at: now, last_error: null, revision };
    await updateServerState(app.database, row, state);
    const saved = (await selectServer(app.database, row.project_id, row.id)) as ServerRow;
    const hasChanged = changed.length + gone.length > 0;
    if (hasChanged || row.revision !== revision) app.changes.add(row.project_id);
    if (row.status !== 'ok' && row.status !== null) await record(app, caller, 'mcp_server.recovered', row, saved);
    if (hasChanged) await record(app, caller, 'mcp_server.changed', row, saved);
    return showServer(saved);
  });
}

/** `changed`: new, with another definition, or back. */
function compare(states: ListedState[], listed: Map<string, NewListed>): { changed: NewListed[]; gone: string[] } {
  const known = new Map(states.map((state) => [state.upstream_name, state]));
  const changed = [...listed.values()].filter(({ upstream_name, hash }) => {
    const state = known.get(upstream_name);
    return state?.hash !== hash || state.missing_since !== null;
  });
  const gone = states.filter(
    ({ upstream_name, missing_since }) => missing_since === null && !listed.has(upstream_name),
  );
  return { changed, gone: gone.map(({ upstream_name }) => upstream_name) };
}

async function saveFailure(app: App, caller: Caller, read: ServerRow, failure: SyncFailure): Promise<void> {
  const { status, last_error } = failure;
  await transact(app, async (app) => {
    const row = await lockServer(app.database, read.project_id, read.id);
    if (!row || row.version !== read.version) return;
    await updateServerState(app.database, row, { status, last_error });
    if (row.status !== null && row.status !== 'ok') return;
    await record(app, caller, 'mcp_server.unreachable', row, { ...row, status, last_error });
  });
}

type Type = 'mcp_server.changed' | 'mcp_server.unreachable' | 'mcp_server.recovered';

function record(app: App, caller: Caller, type: Type, row: ServerRow, saved: ServerRow): Promise<void> {
  const [before, after] = [auditServer(row), auditServer(saved)];
  return recordChange(app, caller, { type, target_id: row.id, data: showServer(saved), before, after });
}
