// A task: a call that goes on after its first response.

import { z } from 'zod';
import { toolExecutionResult } from '../custom-tools/tool-execution.ts';
import { limitedText, pageQuery, timestamp } from '../fields.ts';
import { taskStatuses } from './rules.ts';

const fields = {
  id: z.string(),
  object: z.literal('task'),
  project_id: z.string(),
  tool_id: z.string().meta({ description: 'Id of the tool' }),
  tool_name: z.string().meta({ description: "The tool's name at the time of the call" }),
  call_id: z.string().meta({ description: 'Id of the call that started it' }),
  status: z.enum(taskStatuses).meta({
    description:
      '`completed`, `failed` and `cancelled` are final. `input_required`: the MCP server of the tool has asked the user a question',
  }),
  progress: z
    .number()
    .nullable()
    .meta({ description: "The progress as the API gives it; null if it doesn't, or if the tool has no `progress`" }),
  message: z.string().nullable().meta({ description: "The job's status in words, shortened, for people and models" }),
  poll_count: z.int().meta({ description: 'How often the API was asked about the job' }),
  created_at: timestamp,
  updated_at: timestamp.meta({ description: 'When it last changed' }),
  expires_at: timestamp.meta({
    description:
      'While it is working: when it fails because it takes too long. After that: when it is deleted, with its result',
  }),
};

const error = z
  .strictObject({
    code: z.string().meta({ description: 'The error code that the call ended with', example: 'TASK_FAILED' }),
    message: z.string().meta({ description: 'What went wrong' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'As in the error of a call' }),
  })
  .nullable();

export const task = z
  .strictObject({
    ...fields,
    result: toolExecutionResult.nullable().meta({
      description: 'What the call returned; null unless it is `completed`, and in lists',
    }),
    error: error.meta({ description: 'Why it failed; null unless it is `failed`' }),
  })
  .meta({ id: 'Task' });

export type Task = z.infer<typeof task>;

/** In events. */
export const taskSummary = z
  .strictObject({
    ...fields,
    member_id: z.string().nullable().meta({ description: 'The member the tool was called for' }),
    error_code: z.string().nullable().meta({ description: 'Why it failed' }),
  })
  .meta({ id: 'TaskSummary' });

export type TaskSummary = z.infer<typeof taskSummary>;

export const taskQuery = pageQuery.extend({
  status: z.enum(taskStatuses).optional().meta({ description: 'Only tasks with this status' }),
  tool_id: limitedText(64).optional().meta({ description: 'Only tasks of this tool' }),
});

export const startedTask = z
  .strictObject({
    call_id: z.string().meta({ description: 'Id of this call' }),
    task: task.meta({ description: 'The task that goes on' }),
  })
  .meta({ id: 'StartedTask' });
