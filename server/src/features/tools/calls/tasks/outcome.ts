// What a task that has ended comes to for a caller: the result of its call, or the refusal.

import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import { FailedCall } from '../../../../errors/failed-call.ts';
import { findFile } from '../../../files/files/find.ts';
import { selectResult } from '../../tasks/store.ts';
import { openResult, refusalOfTask, type TaskRow } from '../../tasks/task.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import type { ToolResult } from '../tool-call.ts';
import { unpackResult } from './result.ts';

/** Null: it has not ended. The file of a result may be gone by then. */
export async function outcomeOfTask(
  app: App,
  caller: Parameters<typeof findFile>[1],
  task: TaskRow,
  tool: Pick<PreparedTool, 'output'>,
): Promise<ToolResult | FailedCall | null> {
  switch (task.status) {
    case 'starting':
    case 'working':
    case 'input_required':
      return null;
    case 'cancelled':
      return failed(task, refuse.taskCancelled({ details: { task_id: task.id } }));
    case 'failed':
      return failed(task, refusalOfTask(task) ?? refuse.internal());
    case 'completed':
      return resultOf(app, caller, task, tool);
  }
}

const failed = ({ call_id }: TaskRow, refusal: FailedCall['refusal']) => new FailedCall(refusal, call_id, true);

async function resultOf(
  app: App,
  caller: Parameters<typeof findFile>[1],
  task: TaskRow,
  tool: Pick<PreparedTool, 'output'>,
): Promise<ToolResult> {
  const sealed = await selectResult(app.database, task.project_id, task.id);
  if (sealed === null) throw refuse.notFound();
  const { kept, body } = unpackResult(await openResult(app, task, sealed));
  const file = task.file_id === null ? null : ((await findFile(app, caller, task.file_id)) ?? null);
  return {
    call_id: task.call_id,
    ...kept,
    body,
    file,
    duration_ms: Math.max(0, Date.parse(task.updated_at) - Date.parse(task.created_at)),
    raw_body: null,
    tool: tool.output,
    nearest_limit: null,
  };
}
