// /custom-tools: the generated methods, and the call of a tool.

import type { Api, CallOptions } from '../api.ts';
import { customTools as generated } from '../methods.ts';
import type { ExecuteCustomToolQuery, StartedTask, Task, ToolExecutionResult } from '../types.ts';
import { waitForResult } from './tasks.ts';

export type ExecuteOptions = CallOptions & {
  /**
   * The approval with which a call is repeated that a person had to confirm: `approval.id` of the `ConfirmationRequiredError`, or of the
   * event `approval.approved`. It counts once, for the same tool and arguments.
   */
  approvalId?: string | undefined;
  /**
   * Whether to wait for the result if the call goes on as a task, however long that takes; true by default. With false, the task is
   * returned: `tasks.watch()` follows it.
   */
  wait?: boolean | undefined;
  /** Called with the task each time it changes, while the call waits for it. */
  onProgress?: ((task: Task) => void) | undefined;
};

type CustomTools = ReturnType<typeof generated> & {
  /**
   * Calls a tool. If the connection breaks it is tried again, and the tool is still called once. If a person has to confirm the call,
   * it rejects with a `ConfirmationRequiredError`, which has the approval.
   */
  execute(
    idOrName: string,
    args?: Record<string, unknown>,
    options?: ExecuteOptions & { wait?: true | undefined },
    filters?: ExecuteCustomToolQuery,
  ): Promise<ToolExecutionResult>;
  /** Calls a tool without waiting for a task: returns the result if it is there, and otherwise the task. */
  execute(
    idOrName: string,
    args: Record<string, unknown> | undefined,
    options: ExecuteOptions & { wait: boolean },
    filters?: ExecuteCustomToolQuery,
  ): Promise<ToolExecutionResult | StartedTask>;
};

export function customTools(api: Api): CustomTools {
  async function execute(
    idOrName: string,
    args: Record<string, unknown> = {},
    options: ExecuteOptions = {},
    filters?: ExecuteCustomToolQuery,
  ) {
    const { approvalId, wait = true, onProgress, ...rest } = options;
    const response = await api.send(
      'POST /custom-tools/{tool_id}/execute',
      { tool_id: idOrName },
      {
        query: filters,
        body: { arguments: args },
        headers: approvalId === undefined ? {} : { 'x-toolgate-approval': approvalId },
        options: rest,
        hasIdempotencyKey: true,
        repetition: 'tool_call',
      },
    );
    if (!('task' in response) || !wait) return response;
    const { id, project_id } = response.task;
    return waitForResult(api, { project_id }, id, { signal: rest.signal, onProgress });
  }

  return { ...generated(api), execute: execute as CustomTools['execute'] };
}
