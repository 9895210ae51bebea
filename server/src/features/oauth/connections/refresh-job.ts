// The job that refreshes a connection before its access token expires. A provider that is down is tried again with growing
// delays, for about nine hours.

import type { App } from '../../../app.ts';
import { type JobDefinition, loadRows } from '../../../queue/job-definition.ts';
import { findAnyProvider } from '../providers/find.ts';
import type { ConnectionRow } from './connection.ts';
import { failConnection, refreshConnection } from './refresh.ts';
import { REFRESH, refreshAt } from './schedule-refresh.ts';
import { selectToRefresh } from './store.ts';

const BUSY_RETRY_MS = 5_000;
/** Timestamps of rows and jobs are rounded differently. */
const TOLERANCE_MS = 1_000;

export const refreshJob: JobDefinition<App, ConnectionRow, object> = {
  kind: REFRESH,
  max_concurrent: 50,
  max_per_fairness_key: 10,
  max_per_concurrency_key: 5,
  load: loadRows(selectToRefresh),
  async run(app, row) {
    const due = row.status === 'active' ? refreshAt(row) : null;
    // Signed in again, or refreshed for a call, since the job was enqueued.
    if (due === null || due > app.now() + TOLERANCE_MS) return { next_run_at: due };
    const provider = await findAnyProvider(app, row.project_id, row.provider_id);
    if (!provider) return { next_run_at: null };
    const refreshed = await refreshConnection(app, provider, row);
    if (refreshed === 'ended') return { next_run_at: null };
    if (refreshed === 'busy') return { next_run_at: app.now() + BUSY_RETRY_MS };
    return { next_run_at: refreshAt(refreshed.row) };
  },
  saveResults: async () => {},
  async giveUp(app, ids) {
    for (const row of await selectToRefresh(app.database, ids)) {
      const provider = await findAnyProvider(app, row.project_id, row.provider_id);
      if (provider && row.status === 'active') await failConnection(app, provider, row);
    }
  },
};
