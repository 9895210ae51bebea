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
        'In the order in which a request passes them. `answer`: of a tool call the response to its caller, also when it is an error; otherwise the operation itself',
    }),
    outcome: z.enum(stepOutcomes).meta({ description: 'How far the request came' }),
    duration_ms: z.int().nullable().meta({ description: 'Where it was measured' }),
    reason: z.string().nullable().meta({ description: 'Which rule refused the request: a word for programs' }),
    remedy: z.string().nullable().meta({ description: 'What to do about it: a sentence for people' }),
  })
  .meta({ id: 'RequestTraceStep' });

export const requestTrace = z
  .strictObject({
    object: z.literal('request_trace'),
    request_id: z.string().meta({ description: '`X-Request-Id` of the response' }),
    method: z.string().meta({ description: 'The HTTP method' }),
    route: z.string().meta({ description: 'The path template', example: '/api/v1/custom-tools/{tool_id}/execute' }),
    status: z.int().meta({ description: 'The HTTP status. Over MCP most failed tool calls have 200' }),
    code: z.string().nullable().meta({
      description:
        'The code of the error; null when the call succeeded. For a protocol error of MCP it is its reason in capitals',
    }),
    caller: z
      .strictObject({
        kind: z.enum(traceCallerKinds).meta({ description: 'The kind of credential' }),
        api_key_id: z
          .string()
          .nullable()
          .meta({ description: 'Id of the API key; for a member, of the key that created the session' }),
        session_id: z.string().nullable().meta({ description: 'The session of a member' }),
        member_id: z.string().nullable().meta({ description: 'The member' }),
        integration_id: z.string().nullable().meta({ description: 'The integration of the key' }),
        account_id: z.string().nullable().meta({ description: 'The person who was signed in' }),
      })
      .meta({ id: 'RequestTraceCaller', description: 'Whose credential the request had' }),
    created_at: timestamp,
    upstream_status: z
      .int()
      .nullable()
      .meta({ description: 'The status of your API for a tool call; null without a response' }),
    upstream_body: z.string().nullable().meta({
      description:
        'The beginning of the response of your API to a failed tool call, 2,048 characters at most, redacted. For `admin`, if `record_payloads` was on; otherwise null',
    }),
    steps: z.array(requestTraceStep).meta({ description: 'The steps that apply to the route' }),
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
      description: 'Only requests that ended with this status',
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: 400, maximum: 599, example: 429 });
      },
    }),
  code: text(1, 64).optional().meta({ description: 'Only requests with this error code' }),
  api_key_id: text(1, 128).optional().meta({ description: 'Only requests with this key' }),
});

export type RequestTraceQuery = z.infer<typeof requestTraceQuery>;
