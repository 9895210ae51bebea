// Reads the tools of an MCP server and compares them with what is known. What was approved stays as it is: a new or changed definition waits
// for approval, and a tool that is gone is refused when it is called. What is read is stored piece by piece while the list is read; only
// the whole list says what is gone. docs/design/mcp-servers.md explains why.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { approveReadOnly } from './approve.ts';
import { type Collected, OutdatedSync, openCollector } from './collect-listed.ts';
import { type SyncFailure, syncFailureOf } from './failure.ts';
import { deleteLongGone, markBack, markMissing, selectListedNames } from './listed-store.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { readTools } from './read-tools.ts';
import { lockServer, selectServer, updateServerState } from './store.ts';
import { syncIssuer } from './sync-issuer.ts';
import { createSyncSlots } from './sync-slots.ts';

/** Call it without a database permit. Throws a refusal if the list could not be read. */
export async function syncServer(app: App, caller: Caller, id: string): Promise<McpServer> {
  const { fairness_key } = projectOf(caller);
  return app.stateOf(createSyncSlots).run({ fairness_key, server_id: id }, () => sync(app, caller, id));
}

async function sync(app: App, caller: Caller, id: string): Promise<McpServer> {
  const project = projectOf(caller);
  const inProject = <T>(work: () => Promise<T>) => app.permits.run(project, work);
  const find = async () => {
    const row = await inProject(() => selectServer(app.database, project.id, id));
    if (!row) throw refuse.notFound();
    return row;
  };
  const row = await find();
  const [found] = await Promise.all([read(app, project, row), syncIssuer(app, caller, row)]);
  if (found === null) return showServer(await find());
  if ('refusal' in found) {
    await inProject(() => saveFailure(app, caller, row, found));
    throw found.refusal;
  }
  const saved = await inProject(() => saveResult(app, caller, row, found));
  if (saved.review !== 'read_only_auto' || saved.pending_count === 0) return saved;
  return inProject(() => approveReadOnly(app, project, id));
}

type Found = Collected & { revision: string };
/** `changed`: what was stored before it failed. */
type Failed = SyncFailure & { changed: number };

/** Null: the server was changed meanwhile, and what was read is of another one. */
async function read(app: App, project: Project, row: ServerRow): Promise<Found | Failed | null> {
  const collector = await openCollector(app, project, row);
  const { collected } = collector;
  try {
    return { revision: await readTools(app, project, row, collector), ...collected };
  } catch (error) {
    return error instanceof OutdatedSync ? null : { ...syncFailureOf(error), changed: collected.changed };
  } finally {
    collector.close();
  }
}

const NAMES_AT_ONCE = 1_000;

async function saveResult(app: App, caller: Caller, read: ServerRow, found: Found): Promise<McpServer> {
  return transact(app, async (app) => {
    const row = await lockServer(app.database, read.project_id, read.id);
    if (!row) throw refuse.notFound();
    if (row.version !== read.version) return showServer(row);
    const now = new Date(app.now()).toISOString();
    const moved = await saveMissing(app, row, found.names, now);
    const state = { status: 'ok' as const, last_synced_at: now, last_error: null, revision: found.revision };
    await updateServerState(app.database, row, state);
    const saved = (await selectServer(app.database, row.project_id, row.id)) as ServerRow;
    if (moved > 0 || row.revision !== found.revision) app.changes.add(row.project_id);
    if (row.status !== 'ok' && row.status !== null) await record(app, caller, 'mcp_server.recovered', row, saved);
    if (found.changed + moved > 0) await record(app, caller, 'mcp_server.changed', row, saved);
    return showServer(saved);
  });
}

/** Returns how many are gone, or back. */
async function saveMissing(app: App, row: ServerRow, listed: ReadonlySet<string>, now: string): Promise<number> {
  let [gone, back] = [0, 0];
  for (let after = ''; ; ) {
    const names = await selectListedNames(app.database, row, after, NAMES_AT_ONCE);
    const namesOf = (is_missing: boolean) =>
      names
        .filter((each) => each.is_missing === is_missing && listed.has(each.upstream_name) === is_missing)
        .map(({ upstream_name }) => upstream_name);
    const [missing, returned] = [namesOf(false), namesOf(true)];
    await markMissing(app.database, row, missing, now);
    await markBack(app.database, row, returned);
    [gone, back] = [gone + missing.length, back + returned.length];
    after = names.at(-1)?.upstream_name ?? '';
    if (names.length < NAMES_AT_ONCE) break;
  }
  if (gone > 0) await deleteLongGone(app.database, row);
  return gone + back;
}

async function saveFailure(app: App, caller: Caller, read: ServerRow, failure: Failed): Promise<void> {
  const { status, last_error, changed } = failure;
  await transact(app, async (app) => {
    const row = await lockServer(app.database, read.project_id, read.id);
    if (!row || row.version !== read.version) return;
    await updateServerState(app.database, row, { status, last_error });
    if (changed > 0) await record(app, caller, 'mcp_server.changed', row, { ...row, status, last_error });
    if (row.status !== null && row.status !== 'ok') return;
    await record(app, caller, 'mcp_server.unreachable', row, { ...row, status, last_error });
  });
}

type Type = 'mcp_server.changed' | 'mcp_server.unreachable' | 'mcp_server.recovered';

function record(app: App, caller: Caller, type: Type, row: ServerRow, saved: ServerRow): Promise<void> {
  const [before, after] = [auditServer(row), auditServer(saved)];
  return recordChange(app, caller, { type, target_id: row.id, data: showServer(saved), before, after });
}
