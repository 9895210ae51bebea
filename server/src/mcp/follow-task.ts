// Tells an open stream of each change of a task, as tasks/get would show it then.

import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import type { FoundTask } from '../features/tools/calls/tasks/find.ts';
import { isOpen, type TaskRow } from '../features/tools/tasks/task.ts';
import { waitForTask } from '../features/tools/tasks/wait.ts';
import type { MethodCall } from './method.ts';
import { requestMeta } from './request-meta.ts';
import { detailedTask, findOrNull } from './tasks.ts';

/** What the results on the stream have because of its request. */
export type TaskMeta = Pick<MethodCall, 'protocol' | 'request_id' | 'http_request'>;

type Following = { call: TaskMeta; tell(fields: string): void; isGone(): boolean };

const WAIT_MS = 60_000;

/** `listener.caller` is the current one: it is validated again with every change of its project. */
export function followTask(app: App, listener: { caller: TokenCaller }, found: FoundTask, following: Following): void {
  follow(app, listener, found.task, following).catch((error: unknown) =>
    app.log.warn({ err: error, task_id: found.task.id }, 'a stream is no longer told of a task'),
  );
}

async function follow(
  app: App,
  listener: { caller: TokenCaller },
  task: TaskRow,
  { call, tell, isGone }: Following,
): Promise<void> {
  let seen = task;
  while (!isGone()) {
    const { project } = listener.caller;
    const changed = await waitForTask(app, project, seen, { wait_ms: WAIT_MS, until_changed: true, isGone });
    if (isGone()) return;
    if (changed.updated_at !== seen.updated_at) {
      // What the caller no longer sees does not exist for it.
      const found = await findOrNull(app, listener.caller, task.id);
      if (!found) return;
      tell(await detailedTask(app, listener.caller, found, requestMeta(app, project, call)));
      seen = found.task;
    }
    if (!isOpen(seen)) return;
  }
}
