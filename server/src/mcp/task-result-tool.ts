// `get_task_result`: how a model whose client knows no tasks gets the result of a call that takes long. Listed where the caller sees a tool
// whose calls may become tasks; a project has no tool of that name then.

import { createHash } from 'node:crypto';
import { MAX_WAIT_SECONDS, TASK_RESULT_TOOL } from '@toolgate/contract/tasks/rules.ts';
import type { Problem } from '../engines/json-schema/problem.ts';
import { invalidArguments } from '../features/tools/calls/arguments.ts';
import type { ToolForModel } from '../features/tools/calls/tool-call.ts';

const definition: Omit<ToolForModel, 'definition_hash'> = {
  name: TASK_RESULT_TOOL,
  title: 'Get the result of a task',
  description:
    'Returns the result of a call that was still working when its tool returned. Waits for it if it is not there yet. Never call the tool itself again while its task is working.',
  input_schema: {
    type: 'object',
    properties: {
      task_id: { type: 'string', description: 'The id of the task, as the tool returned it' },
      wait_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        default: MAX_WAIT_SECONDS,
        description: 'How long to wait for the result',
      },
    },
    required: ['task_id'],
    additionalProperties: false,
  },
  output_schema: null,
  annotations: {
    title: 'Get the result of a task',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export const taskResultTool: ToolForModel = {
  ...definition,
  definition_hash: createHash('sha256').update(JSON.stringify(definition)).digest('hex'),
};

/** Throws a refusal that names everything that is wrong. */
export function readTaskRequest(given: Record<string, unknown>): { task_id: string; wait_ms: number } {
  const { task_id, wait_seconds = MAX_WAIT_SECONDS, ...others } = given;
  const problems: Problem[] = Object.keys(others)
    .slice(0, 20)
    .map((field) => ({ field: field.slice(0, 100), message: 'is not a known field' }));
  if (typeof task_id !== 'string')
    problems.push({ field: 'task_id', message: task_id === undefined ? 'is required' : 'must be a string' });
  const seconds = wait_seconds as number;
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MAX_WAIT_SECONDS)
    problems.push({ field: 'wait_seconds', message: `must be an integer from 0 to ${MAX_WAIT_SECONDS}` });
  if (problems.length > 0) throw invalidArguments(problems);
  return { task_id: task_id as string, wait_ms: seconds * 1000 };
}
