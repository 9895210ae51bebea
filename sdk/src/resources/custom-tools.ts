// /custom-tools: the generated methods, and the call of a tool.

import type { Api, CallOptions } from '../api.ts';
import { customTools as generated } from '../methods.ts';
import type { ExecuteCustomToolQuery, ToolExecutionResult } from '../types.ts';

type CustomTools = ReturnType<typeof generated> & {
  /** Calls a tool. If the connection breaks it is tried again, and the tool is still called once. */
  execute(
    idOrName: string,
    args?: Record<string, unknown>,
    options?: CallOptions,
    filters?: ExecuteCustomToolQuery,
  ): Promise<ToolExecutionResult>;
};

export function customTools(api: Api): CustomTools {
  const methods = generated(api);
  return {
    ...methods,
    execute: (idOrName, args = {}, options, filters) => methods.test(idOrName, { arguments: args }, options, filters),
  };
}
