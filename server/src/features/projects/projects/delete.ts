// Marks a project as deleted. Its credentials are refused at once, because each is looked up together with its project.
// purge.ts deletes its rows later.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordChange, showProject } from './project.ts';
import { markDeleted } from './store.ts';

export async function deleteProject(app: App, caller: Caller): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    const deleted = await markDeleted(app.database, project.id, new Date(app.now()).toISOString());
    if (!deleted) throw refuse.notFound();
    app.changes.add(project.id);
    await recordChange(app, caller, { type: 'project.deleted', target_id: project.id, data: showProject(deleted) });
  });
}
