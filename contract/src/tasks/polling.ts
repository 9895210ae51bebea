// How calls of a tool are followed whose first response only says that the work has begun.

import { z } from 'zod';
import { MAX_TEMPLATE } from '../custom-tools/path-template.ts';
import { MAX_PATH_LENGTH, parsePath } from '../custom-tools/response-paths.ts';
import { limitedText, text } from '../fields.ts';
import {
  cancelMethods,
  DEFAULT_INTERVAL_SECONDS,
  DEFAULT_TIMEOUT_SECONDS,
  MAX_INTERVAL_SECONDS,
  MAX_STATUS_VALUE_LENGTH,
  MAX_STATUS_VALUES,
  MAX_TIMEOUT_SECONDS,
  MIN_TIMEOUT_SECONDS,
} from './rules.ts';

const field = text(1, MAX_PATH_LENGTH)
  .refine((given) => {
    const parsed = parsePath(given);
    return typeof parsed !== 'string' && parsed.every(({ kind }) => kind === 'member');
  }, 'must contain only names, as in data.status')
  .nullable()
  .default(null);

const template = limitedText(MAX_TEMPLATE, `must have at most ${MAX_TEMPLATE} characters`);

/** As JSON has them. */
const statusValues = z
  .array(z.union([text(0, MAX_STATUS_VALUE_LENGTH), z.number(), z.boolean(), z.null()]))
  .max(MAX_STATUS_VALUES)
  .default([]);

export const toolPolling = z
  .strictObject({
    job_id: field.meta({
      description:
        "Path of the job's id in the first response, for `{{job_id}}`; null: the job is followed at the URL in the `Location` header",
      example: 'job.id',
    }),
    status_path: template.nullable().default(null).meta({
      description:
        'Where the job is polled, with GET: a path like `endpoint_path`, with `{{job_id}}`; null: the URL in the `Location` header of the first response, which must have the same origin as the tool',
      example: '/v1/exports/{{job_id}}',
    }),
    status: field.meta({
      description:
        "Path of the job's status in a response; null: status code 202 means that the job is working, 200 that it is done",
      example: 'status',
    }),
    done: statusValues.meta({ description: 'Values of `status` that mean that the job is done', example: ['done'] }),
    failed: statusValues.meta({ description: 'Values of `status` that mean that it has failed', example: ['error'] }),
    progress: field.meta({ description: 'Path of a number that grows with the progress', example: 'percent' }),
    result: field.meta({
      description:
        'Path of the result in the response of a job that is done, or in that of `result_path`; null: the whole response',
      example: 'output',
    }),
    result_path: template.nullable().default(null).meta({
      description: 'Where the result is read when the job is done, with GET; null: it is in the response itself',
      example: '/v1/exports/{{job_id}}/result',
    }),
    error: field.meta({ description: 'Path of the error in the response of a job that failed', example: 'error' }),
    interval_seconds: z.int().min(1).max(MAX_INTERVAL_SECONDS).default(DEFAULT_INTERVAL_SECONDS).meta({
      description: 'How often the job is polled, unless the API says in `Retry-After` how long to wait',
    }),
    timeout_seconds: z.int().min(MIN_TIMEOUT_SECONDS).max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS).meta({
      description: 'How long the job can take; after that, the task has failed',
    }),
    cancel: z
      .strictObject({
        method: z.enum(cancelMethods).meta({ description: 'The method of the request' }),
        path: template.meta({ description: 'Its path, with `{{job_id}}`', example: '/v1/exports/{{job_id}}' }),
      })
      .nullable()
      .default(null)
      .meta({
        description: 'How a job is cancelled; null: a cancelled task is no longer followed, and its job goes on',
      }),
  })
  .meta({ id: 'ToolPolling' });

export type ToolPolling = z.output<typeof toolPolling>;
