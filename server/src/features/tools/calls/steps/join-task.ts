// The same call again, while its task is working or its first request is under way, gets that task.

import type { App } from '../../../../app.ts';
import type { CallRun, Step } from '../run.ts';
import { findSameTask } from '../tasks/reserve.ts';

export const joinTask: Step = (app, run) =>
  run.tool.polling !== null && run.reserved === null ? join(app, run) : undefined;

async function join(app: App, run: CallRun): Promise<void> {
  run.task = (await findSameTask(app, run)) ?? null;
}
