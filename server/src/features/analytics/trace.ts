// The trace of a request as the API returns it: every step that applies to its route, and how far the request came.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import { remedies } from '../../remedies.ts';
import { type Step, steps } from './failed-step.ts';

const stepSchema = z
  .strictObject({
    step: z.enum(steps).meta({ description: 'In the order in which a request passes them' }),
    outcome: z.enum(['passed', 'failed', 'not_reached']).meta({ description: 'How far the request came' }),
    duration_ms: z.int().nullable().meta({ description: 'Where it was measured' }),
    reason: z.string().nullable().meta({ description: 'Which rule refused the request: a word for programs' }),
    remedy: z.string().nullable().meta({ description: 'What to do about it: a sentence for people' }),
  })
  .meta({ id: 'RequestTraceStep' });

export const traceSchema = z
  .strictObject({
    object: z.literal('request_trace'),
    request_id: z.string().meta({ description: '`X-Request-Id` of the response' }),
    method: z.string().meta({ description: 'The HTTP method' }),
    route: z.string().meta({ description: 'The path template', example: '/api/v1/custom-tools/{tool_id}/execute' }),
    status: z.int().meta({ description: 'The HTTP status. Over MCP most failed tool calls have 200' }),
    code: z.string().nullable().meta({
      description:
        'The code of the error; null when the call succeeded. Of a protocol error of MCP: its reason in capitals',
    }),
    caller: z
      .strictObject({
        kind: z.enum(['api_key', 'member', 'account', 'root']).meta({ description: 'The kind of credential' }),
        api_key_id: z.string().nullable().meta({ description: 'Of a member: the key that created the session' }),
        session_id: z.string().nullable().meta({ description: 'The session of a member' }),
        member_id: z.string().nullable().meta({ description: 'The member' }),
        integration_id: z.string().nullable().meta({ description: 'The integration of the key' }),
        account_id: z.string().nullable().meta({ description: 'The person who was signed in' }),
      })
      .meta({ id: 'RequestTraceCaller', description: 'Whose credential the request had' }),
    created_at: timestamp,
    steps: z.array(stepSchema).meta({ description: 'The steps that apply to the route' }),
  })
  .meta({ id: 'RequestTrace' });

export type RequestTrace = z.infer<typeof traceSchema>;
type TraceStep = z.infer<typeof stepSchema>;

/** `failed` is null when the request succeeded. */
export type Progress = {
  failed: { step: Step; reason: string; remedy: string } | null;
  is_call: boolean;
  is_root: boolean;
  durations?: Partial<Record<Step, number | null>>;
};

const callSteps: ReadonlySet<Step> = new Set(['tool', 'member', 'arguments', 'address', 'upstream']);

export function traceSteps({ failed, is_call, is_root, durations = {} }: Progress): TraceStep[] {
  // A step of calls also applies where it failed: `member` when a session is created.
  const applies = (step: Step) => !callSteps.has(step) || is_call || failed?.step === step;
  const applicable = steps.filter((step) => applies(step) && !(is_root && step === 'rate_limit'));
  const end = failed === null ? applicable.length : applicable.indexOf(failed.step);
  return applicable.map((step, i) => ({
    step,
    outcome: i < end ? 'passed' : i === end ? 'failed' : 'not_reached',
    duration_ms: i <= end ? (durations[step] ?? null) : null,
    reason: i === end && failed ? failed.reason : null,
    remedy: i === end && failed ? failed.remedy : null,
  }));
}

/**
 * Why an API could not be reached is for `admin` only: blocked, refused and unreachable are the same to others, so that nobody can
 * scan a network (rules 4).
 */
export function hideNetwork(failed: NonNullable<Progress['failed']>, code: string | null): Progress['failed'] {
  if (code !== 'UPSTREAM_CONNECTION') return failed;
  return { step: 'upstream', reason: 'upstream_connection', remedy: remedies.upstream_connection };
}
