// A response that only says that the work has begun: the call goes on as a task.

import type { App } from '../../../../app.ts';
import type { PreparedPolling } from '../prepared-tool.ts';
import type { CallRun, Step } from '../run.ts';
import { beginTask as begin } from '../tasks/begin.ts';

export const beginTask: Step = (app, run) => {
  const { reserved, tool } = run;
  return reserved && tool.polling ? beginWith(app, run, reserved.task_id, tool.polling) : undefined;
};

async function beginWith(app: App, run: CallRun, task_id: string, polling: PreparedPolling): Promise<void> {
  run.task = await begin(app, run, task_id, polling);
}
