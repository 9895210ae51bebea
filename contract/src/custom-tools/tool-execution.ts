// A call of a tool over REST, and its result.

import { z } from 'zod';
import type { Reason } from '../errors.ts';
import { booleanFilter, limitedText } from '../fields.ts';

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
            description: 'The arguments, as the `input_schema` of the tool defines them',
          },
        }),
      member_external_id: z.string().optional().meta({
        description:
          'Only for people who try a tool: the external id of the member on whose behalf it is called. In production it must begin with `test_`',
        example: 'test_ada',
      }),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? NOT_WRAPPED : undefined) },
  )
  .meta({ id: 'ToolExecution' });

export const toolExecutionQuery = z.strictObject({
  raw: booleanFilter('True: the whole response, without `response` of the tool. Needs the permission `write`'),
});

export const toolExecutionHeaders = z.object({
  'x-toolgate-approval': limitedText(64).optional().meta({
    description: 'Id of the approval with which a call that had to be confirmed is repeated',
    example: 'apr_3nVx6wQdKb9tYc2ZmR7sLf',
  }),
});

export type ToolExecution = z.infer<typeof toolExecution>;

export const toolExecutionResult = z
  .strictObject({
    call_id: z.string().meta({ description: 'Id of this call; also sent to the customer, as X-Toolgate-Request-Id' }),
    status: z.int().meta({ description: "The customer's status: 200 to 299" }),
    content_type: z
      .string()
      .nullable()
      .meta({ description: "The Content-Type of the customer's response; null if it had none" }),
    body: z.unknown().meta({
      description: 'What the customer responded: a JSON value if the response is JSON of at most 100 levels, else text',
    }),
    truncated: z.boolean().meta({
      description:
        'Not everything is there: the response was longer than `max_response_bytes`, or `response` of the tool cut it. JSON stays JSON',
    }),
    truncation: z
      .strictObject({
        paths: z
          .array(
            z.strictObject({
              path: z.string().meta({ description: 'The list or text; `.` is the response itself', example: 'items' }),
              kept: z.int().meta({ description: 'How many of its items or characters are there' }),
              total: z.int().nullable().meta({ description: 'How many it had; null if that is not known' }),
            }),
          )
          .meta({ description: 'What was cut, 20 at most' }),
        next: z
          .strictObject({
            argument: z.string().meta({ description: 'The argument to give' }),
            value: z.union([z.string(), z.number(), z.boolean()]).meta({ description: 'Its value' }),
          })
          .nullable()
          .meta({
            description: 'How to get the next page; null on the last page, or if items of this page are missing',
          }),
      })
      .nullable()
      .meta({ description: 'What was cut and how to go on; null if nothing was cut and there is no next page' }),
    result_tokens: z.int().meta({ description: "The customer's response in tokens, estimated as bytes / 4" }),
    shaped_tokens: z.int().meta({ description: 'The same for what `response` of the tool leaves of it' }),
    raw_body: z.unknown().optional().meta({
      description:
        'Only for people who try a tool that has a `response`: what the customer responded, as `body` would have it',
    }),
    duration_ms: z.int().meta({ description: 'How long the call took, in milliseconds' }),
  })
  .meta({ id: 'ToolExecutionResult' });

export type ToolExecutionResult = z.infer<typeof toolExecutionResult>;
