// The trace of a request: every step that applies to its route, and how far the request came.

import { z } from 'zod';
import { pageQuery, text, timestamp } from '../fields.ts';
import { steps } from '../trace-steps.ts';

export const stepOutcomes = ['passed', 'failed', 'not_reached'] as const;

export const traceCallerKinds = ['api_key', 'member', 'oauth_client', 'account', 'root'] as const;

const requestTraceStep = z
  .strictObject({
    step: z.enum(steps).meta({
      description:
        "The steps in the order a request passes them. `answer` is the response to a tool call's caller, even when it is an error; for other requests, it is the operation itself",
    }),
    outcome: z.enum(stepOutcomes).meta({ description: 'Whether the request passed this step' }),
    duration_ms: z.int().nullable().meta({ description: 'How long the step took, where it was measured' }),
    reason: z.string().nullable().meta({ description: 'Which rule refused the request, as a code for programs' }),
    remedy: z.string().nullable().meta({ description: 'How to fix it, as a sentence for people' }),
  })
  .meta({ id: 'RequestTraceStep' });

export const requestTrace = z
  .strictObject({
    object: z.literal('request_trace'),
    request_id: z.string().meta({ description: '`X-Request-Id` of the response' }),
    method: z.string().meta({ description: 'The HTTP method' }),
    route: z.string().meta({ description: 'The path template', example: '/api/v1/custom-tools/{tool_id}/execute' }),
    status: z.int().meta({ description: 'The HTTP status. Over MCP, most failed tool calls have 200' }),
    code: z.string().nullable().meta({
      description: 'The error code; null if the call succeeded. For an MCP protocol error, its reason in capitals',
    }),
    caller: z
      .strictObject({
        kind: z.enum(traceCallerKinds).meta({ description: 'The kind of credential' }),
        api_key_id: z
          .string()
          .nullable()
          .meta({ description: 'Id of the API key; for a member, of the key that created the session' }),
        session_id: z.string().nullable().meta({ description: 'The member session' }),
        member_id: z.string().nullable().meta({ description: 'The member' }),
        integration_id: z.string().nullable().meta({ description: "The key's integration" }),
        account_id: z.string().nullable().meta({ description: 'The signed-in person' }),
      })
      .meta({ id: 'RequestTraceCaller', description: 'The credential that the request used' }),
    created_at: timestamp,
    upstream_status: z
      .int()
      .nullable()
      .meta({ description: 'For a tool call, the status that your API returned; null without a response' }),
    upstream_body: z.string().nullable().meta({
      description:
        "The first 2,048 characters of your API's response to a failed tool call, redacted. Only for `admin`, and only if `record_payloads` was on; otherwise null",
    }),
    steps: z.array(requestTraceStep).meta({ description: 'The steps that apply to this route' }),
  })
  .meta({ id: 'RequestTrace' });

export type RequestTrace = z.infer<typeof requestTrace>;
export type RequestTraceStep = z.infer<typeof requestTraceStep>;

export const requestTraceQuery = pageQuery.extend({
  status: z
    .string()
    .regex(/^[45]\d\d$/, 'must be an HTTP status from 400 to 599')
    .transform(Number)
    .optional()
    .meta({
      description: 'Only requests with this status',
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: 400, maximum: 599, example: 429 });
      },
    }),
  code: text(1, 64).optional().meta({ description: 'Only requests with this error code' }),
  api_key_id: text(1, 128).optional().meta({ description: 'Only requests with this key' }),
});

export type RequestTraceQuery = z.infer<typeof requestTraceQuery>;
