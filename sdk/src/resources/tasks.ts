// /projects/{id}/tasks: the generated methods, and a task as it goes on.

import type { Api, CallOptions } from '../api.ts';
import { sleep } from '../deadline.ts';
import { errorClass, type ToolgateError } from '../errors.ts';
import { tasks as generated } from '../methods.ts';
import type { Task, ToolExecutionResult } from '../types.ts';

type Tasks = ReturnType<typeof generated> & {
  /**
   * Yields a task as it is now, and each time it changes, until it has ended. The last one has the result or the error.
   *
   * ```ts
   * for await (const { status, progress } of toolgate.tasks.watch(task.id)) console.log(status, progress);
   * ```
   */
  watch(id: string, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<Task>;
  /** Waits for the end of a task, and returns the result of its call; rejects as the call would have. */
  result(id: string, options?: WaitOptions): Promise<ToolExecutionResult>;
};

type WaitOptions = Pick<CallOptions, 'signal'> & {
  /** Called with the task each time it changes. */
  onProgress?: ((task: Task) => void) | undefined;
};

export const tasks = (api: Api): Tasks => ({
  ...generated(api),
  watch: (id, { signal } = {}) => watchTask(api, {}, id, signal),
  result: (id, options = {}) => waitForResult(api, {}, id, options),
});

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5_000;

/** The project, where the client itself may not know it. */
type Ids = { project_id?: string };

export async function waitForResult(
  api: Api,
  ids: Ids,
  id: string,
  { signal, onProgress }: WaitOptions,
): Promise<ToolExecutionResult> {
  let last: Task | undefined;
  for await (last of watchTask(api, ids, id, signal)) onProgress?.(last);
  return resultOf(last as Task);
}

async function* watchTask(api: Api, ids: Ids, id: string, signal: AbortSignal | undefined): AsyncGenerator<Task> {
  let seen: string | undefined;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(LONGEST_DELAY_MS, delay * 1.5)) {
    const task = await api.send(
      'GET /projects/{project_id}/tasks/{task_id}',
      { ...ids, task_id: id },
      { options: { signal } },
    );
    if (task.updated_at !== seen) yield task;
    if (hasEnded(task)) return;
    seen = task.updated_at;
    await sleep(delay, signal);
  }
}

const hasEnded = ({ status }: Task) => status === 'completed' || status === 'failed' || status === 'cancelled';

const CONFLICT = 409;
const UPSTREAM = 502;

function resultOf({ id, status, result, error }: Task): ToolExecutionResult {
  if (result) return result;
  if (error) throw failure(UPSTREAM, error);
  throw failure(CONFLICT, { code: 'TASK_CANCELLED', message: `The task ${id} was ${status}`, details: {} });
}

function failure(
  status: number,
  fields: { code: string; message: string; details: Record<string, unknown> },
): ToolgateError {
  return new (errorClass(status, fields.code))({ ...fields, status });
}
