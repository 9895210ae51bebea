// Cancels tasks that may not go on: their tool was disabled or deleted, or calls another API, or the credential that started them has ended.
// They are not asked about any more without this, too; it tells others immediately, and keeps them ended when it is set back.

import type { App } from '../../../app.ts';
import { findProject } from '../../projects/projects/find.ts';
import { endTask } from './end.ts';
import { hasOpenTasks, selectDead } from './open-store.ts';

const BATCH_SIZE = 200;

/** After every change of a project, before the response to who made it. What fails here is done when the job is due. */
export async function settleTasksAfterChange(app: App, project_id: string): Promise<void> {
  try {
    if (!(await hasOpenTasks(app.database, project_id))) return;
    while (await settle(app, project_id));
  } catch (error) {
    app.log.warn({ err: error, project_id }, 'tasks that ended with a change could not be cancelled; their jobs do it');
  }
}

/** Returns true if there may be more. */
async function settle(app: App, project_id: string): Promise<boolean> {
  const dead = await selectDead(app.database, project_id, app.now(), BATCH_SIZE);
  const project = dead.length === 0 ? null : await findProject(app, project_id);
  if (!project) return false;
  for (const task of dead) await endTask(app, project, task, { status: 'cancelled', by: 'system' });
  return dead.length === BATCH_SIZE;
}
