// A deleted project is out of reach at once; its rows go some weeks later, when nothing is left to be delivered.

import type { App } from '../../app.ts';
import { removeCallsOfProject } from '../analytics/retention.ts';
import { removeProject, selectDeletedBefore } from './store.ts';

const DAY_MS = 86_400_000;

/** One at a time: a project can have millions of rows. */
export async function purgeDeletedProjects(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.deleted_project_days * DAY_MS).toISOString();
  const project_id = await selectDeletedBefore(app.database, before);
  if (project_id === undefined) return false;
  if (!(await removeCallsOfProject(app, project_id))) await removeProject(app.database, project_id);
  return true;
}
