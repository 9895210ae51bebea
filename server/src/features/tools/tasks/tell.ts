// Tells a caller of the task whose first request is still under way: from then on it does not go away with that request.

import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { markTold } from './store.ts';
import type { TaskRow } from './task.ts';

/** Null: the first request is over. */
export const tellTask = (app: App, { project }: ToolCaller, id: string): Promise<TaskRow | null> =>
  app.permits.run(project, () => markTold(app.database, project.id, id));
