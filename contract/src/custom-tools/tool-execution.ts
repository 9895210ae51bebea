// A call of a tool over REST, and its result.

import { z } from 'zod';
import type { Reason } from '../errors.ts';

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
    truncated: z
      .boolean()
      .meta({ description: 'The response was longer than `max_response_bytes`; `body` is text then' }),
    duration_ms: z.int().meta({ description: 'How long the call took, in milliseconds' }),
  })
  .meta({ id: 'ToolExecutionResult' });

export type ToolExecutionResult = z.infer<typeof toolExecutionResult>;
