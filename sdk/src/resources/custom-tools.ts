// /custom-tools: the generated methods, and the call of a tool.

import type { Api, CallOptions } from '../api.ts';
import { customTools as generated } from '../methods.ts';
import type { ExecuteCustomToolQuery, ToolExecutionResult } from '../types.ts';

export type ExecuteOptions = CallOptions & {
  /**
   * The approval with which a call is repeated that a person had to confirm: `approval.id` of the `ConfirmationRequiredError`, or of the
   * event `approval.approved`. It counts once, for the same tool and arguments.
   */
  approvalId?: string | undefined;
};

type CustomTools = ReturnType<typeof generated> & {
  /**
   * Calls a tool. If the connection breaks it is tried again, and the tool is still called once. If a person has to confirm the call,
   * it rejects with a `ConfirmationRequiredError`, which has the approval.
   */
  execute(
    idOrName: string,
    args?: Record<string, unknown>,
    options?: ExecuteOptions,
    filters?: ExecuteCustomToolQuery,
  ): Promise<ToolExecutionResult>;
};

export function customTools(api: Api): CustomTools {
  return {
    ...generated(api),
    execute: (idOrName, args = {}, options, filters) =>
      api.send(
        'POST /custom-tools/{tool_id}/execute',
        { tool_id: idOrName },
        {
          query: filters,
          body: { arguments: args },
          headers: options?.approvalId === undefined ? {} : { 'x-toolgate-approval': options.approvalId },
          options,
          hasIdempotencyKey: true,
          repetition: 'tool_call',
        },
      ),
  };
}
