// Cancels a task for a caller. The API is told by a job, if the tool says how.

import { type Caller, projectOf } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import { endTask } from '../../tasks/end.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { findTask } from './find.ts';

export async function cancelTask(app: App, caller: Caller, id: string): Promise<TaskRow> {
  const { task } = await findTask(app, caller, id);
  const cancelled = await endTask(app, projectOf(caller), task, { status: 'cancelled', by: caller });
  if (cancelled) return cancelled;
  const ended = (await findTask(app, caller, id)).task;
  if (ended.status !== 'cancelled') throw refuse.taskEnded({ details: { status: ended.status } });
  return ended;
}
