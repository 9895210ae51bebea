// A call of a tool over REST, and its result.

import { z } from 'zod';
import type { Reason } from '../errors.ts';
import { booleanFilter, limitedText } from '../fields.ts';
import { file } from '../files/file.ts';
import { MAX_WAIT_SECONDS } from '../tasks/rules.ts';

const NOT_WRAPPED: Reason = 'arguments_not_wrapped';

export const toolExecution = z
  .strictObject(
    {
      arguments: z
        .unknown()
        .optional()
        .meta({
          override: {
            type: 'object',
            additionalProperties: true,
            description: "The arguments, as defined by the tool's `input_schema`",
          },
        }),
      member_external_id: z.string().optional().meta({
        description:
          'Only for people who try a tool: the external id of the member it is called for. In production, it must begin with `test_`',
        example: 'test_ada',
      }),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? NOT_WRAPPED : undefined) },
  )
  .meta({ id: 'ToolExecution' });

export const toolExecutionQuery = z.strictObject({
  raw: booleanFilter(
    "Whether to return the whole response, without applying the tool's `response` rule. Requires the permission `write`",
  ),
  wait_seconds: z
    .string()
    .regex(/^([0-9]|[1-4]\d|50)$/, `must be a number from 0 to ${MAX_WAIT_SECONDS}`)
    .transform(Number)
    .default(0)
    .meta({
      description: `If the call becomes a task: how long to wait for its end before the response is 202, 0 to ${MAX_WAIT_SECONDS}`,
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS });
      },
    }),
});

export const toolExecutionHeaders = z.object({
  'x-toolgate-approval': limitedText(64).optional().meta({
    description: 'Id of the approval, when you repeat a call that required one',
    example: 'apr_3nVx6wQdKb9tYc2ZmR7sLf',
  }),
});

export type ToolExecution = z.infer<typeof toolExecution>;

export const toolExecutionResult = z
  .strictObject({
    call_id: z.string().meta({ description: 'Id of this call; also sent to your API as X-Toolgate-Request-Id' }),
    status: z.int().meta({ description: 'The status your API returned: 200 to 299' }),
    content_type: z
      .string()
      .nullable()
      .meta({ description: "The Content-Type of your API's response; null if it had none" }),
    body: z.unknown().meta({
      description:
        "Your API's response: a JSON value if it is JSON with at most 100 levels, otherwise text; null if it is a file",
    }),
    file: file.nullable().optional().meta({
      description:
        'Only if the response is neither JSON nor text, or text longer than `max_response_bytes`: the file that it became. Null in a repeated response if the file no longer exists',
    }),
    truncated: z.boolean().meta({
      description:
        "Whether parts are missing: the response was longer than `max_response_bytes`, or the tool's `response` rule cut it. JSON stays valid JSON",
    }),
    truncation: z
      .strictObject({
        paths: z
          .array(
            z.strictObject({
              path: z.string().meta({ description: 'The list or text; `.` is the response itself', example: 'items' }),
              kept: z.int().meta({ description: 'How many of its items or characters are included' }),
              total: z.int().nullable().meta({ description: 'How many it had; null if unknown' }),
            }),
          )
          .meta({ description: 'What was cut, at most 20 entries' }),
        next: z
          .strictObject({
            argument: z.string().meta({ description: 'The argument to set' }),
            value: z.union([z.string(), z.number(), z.boolean()]).meta({ description: 'Its value' }),
          })
          .nullable()
          .meta({
            description: 'How to get the next page; null on the last page, or if items of this page are missing',
          }),
      })
      .nullable()
      .meta({ description: 'What was cut and how to continue; null if nothing was cut and there is no next page' }),
    result_tokens: z.int().meta({ description: "Your API's response in tokens, estimated as bytes / 4" }),
    shaped_tokens: z.int().meta({ description: "Tokens that are left after the tool's `response` rule" }),
    raw_body: z.unknown().optional().meta({
      description:
        "Only for people who try a tool that has a `response` rule: your API's response, as `body` would show it",
    }),
    duration_ms: z.int().meta({ description: 'How long the call took, in milliseconds' }),
  })
  .meta({ id: 'ToolExecutionResult' });

export type ToolExecutionResult = z.infer<typeof toolExecutionResult>;
