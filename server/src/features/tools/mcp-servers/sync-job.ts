// The job that syncs an MCP server every `sync_minutes`. A server that hangs or fails delays only itself.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError } from '../../../errors/errors.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import { type JobDefinition, loadRows } from '../../../queue/job-definition.ts';
import { findProject } from '../../projects/projects/find.ts';
import { setEnabledLocked } from '../catalogue/set-enabled.ts';
import { lockTools } from '../catalogue/store.ts';
import type { ServerRow } from './mcp-server.ts';
import { selectServersToSync } from './store.ts';
import { syncServer } from './sync.ts';
import { selectLongMissing } from './tool-store.ts';

const SYNC = 'mcp_sync';
const MINUTE_MS = 60_000;

/** The first sync by itself is after `sync_minutes`. */
export async function enqueueSync(
  app: App,
  { id, sync_minutes, last_synced_at }: Pick<ServerRow, 'id' | 'sync_minutes' | 'last_synced_at'>,
  fairness_key: string,
): Promise<void> {
  const last = last_synced_at === null ? app.now() : Date.parse(last_synced_at);
  const run_at = new Date(last + sync_minutes * MINUTE_MS).toISOString();
  await enqueue(app, [{ kind: SYNC, subject: id, fairness_key, concurrency_key: id, run_at }]);
}

type DueServer = { id: string; project_id: string; sync_minutes: number };

export const syncJob: JobDefinition<App, DueServer, object> = {
  kind: SYNC,
  max_concurrent: 20,
  max_per_fairness_key: 2,
  max_per_concurrency_key: 1,
  load: loadRows(selectServersToSync),
  async run(app, { id, project_id, sync_minutes }) {
    const project = await findProject(app, project_id);
    if (project) await syncQuietly(app, project, id);
    return { next_run_at: app.now() + sync_minutes * MINUTE_MS };
  },
  saveResults: async () => {},
};

async function syncQuietly(app: App, project: Project, id: string): Promise<void> {
  try {
    await syncServer(app, { kind: 'root', project, is_system: true }, id);
  } catch (error) {
    // It is stored with the server.
    if (!(error instanceof ApiError)) throw error;
  }
}

const REMOVED_FOR_MS = 24 * 60 * MINUTE_MS;
const BATCH_SIZE = 50;

/** Disables tools that their servers have not listed for 24 hours. Returns whether there is more to do. */
export async function disableRemovedTools(app: App): Promise<boolean> {
  const before = new Date(app.now() - REMOVED_FOR_MS).toISOString();
  const missing = await selectLongMissing(app.database, before, BATCH_SIZE);
  for (const [project_id, tools] of Map.groupBy(missing, (tool) => tool.project_id)) {
    const project = await findProject(app, project_id);
    if (!project) continue;
    const ids = tools.map(({ id }) => id);
    await transact(app, async (app) => {
      const rows = await lockTools(app.database, project_id, 'id', ids);
      await setEnabledLocked(app, { kind: 'root', project, is_system: true }, rows, false);
    });
  }
  return missing.length === BATCH_SIZE;
}
