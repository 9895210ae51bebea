// Deletes the rows of projects that were deleted some weeks ago. The project itself is out of reach from the moment it is
// deleted; the weeks leave time to deliver its last events.

import type { App } from '../../../app.ts';
import { purgeCalls } from '../../activity/analytics/purge.ts';
import { deleteProjectRow, selectDeletedBefore } from './store.ts';

const DAY_MS = 86_400_000;

/** Purges one project in each run, because a project can have millions of rows. Returns true if there may be more. */
export async function purgeDeletedProjects(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.deleted_project_days * DAY_MS).toISOString();
  const project_id = await selectDeletedBefore(app.database, before);
  if (project_id === undefined) return false;
  if (!(await purgeCalls(app, project_id))) await deleteProjectRow(app.database, project_id);
  return true;
}
