// A call that goes on as a task, for a caller that waits for it a while.

import type { ToolCaller } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import type { FailedCall } from '../../../../errors/failed-call.ts';
import { StartedTask } from '../../tasks/started-task.ts';
import { type Wait, waitForTask } from '../../tasks/wait.ts';
import { currentTool } from '../call-access.ts';
import type { ToolResult } from '../tool-call.ts';
import { outcomeOfTask } from './outcome.ts';

/** The result or the failure of the call, or its task as it is when the time is over. */
export async function awaitTask(
  app: App,
  caller: ToolCaller,
  { call_id, task }: StartedTask,
  wait: Wait,
): Promise<ToolResult | FailedCall | StartedTask> {
  const { project } = caller;
  const current = await waitForTask(app, project, task, wait);
  const tool = await currentTool(app, caller, task.tool_id);
  const outcome = await app.permits.run(project, () => outcomeOfTask(app, caller, current, tool));
  return outcome ?? new StartedTask(call_id, current);
}
