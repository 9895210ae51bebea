// Reserves a task for a call of a tool with `polling`: once, also if the tool changes while the call waits for its slot.

import type { App } from '../../../../app.ts';
import { CallOutdated } from '../call-access.ts';
import type { CallRun, Step } from '../run.ts';
import { endReserved } from '../tasks/end-reserved.ts';
import { reserveTask as reserve } from '../tasks/reserve.ts';

export const reserveTask: Step = (app, run) =>
  run.tool.polling !== null && run.reserved?.tool_id !== run.tool.id ? reserveFor(app, run) : undefined;

async function reserveFor(app: App, run: CallRun): Promise<void> {
  // Another tool has the name now.
  if (run.reserved) await endReserved(app, run, run.reserved.task_id, new CallOutdated());
  run.reserved = null;
  const reserved = await reserve(app, run);
  if (typeof reserved !== 'string') {
    run.task = reserved;
    return;
  }
  run.reserved = { task_id: reserved, tool_id: run.tool.id };
  run.call.onReserved?.(reserved);
}
