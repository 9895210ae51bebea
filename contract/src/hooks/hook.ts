// A hook: a policy of the customer's own that decides about calls of tools. What is sent to create, change and try one.

import { z } from 'zod';
import { certificateId as certificate_id } from '../certificates/field.ts';
import { limitedText, resourceHistory, secretOverlap, text, timestamp } from '../fields.ts';
import { storedToolMatch, toolMatch } from '../limits/match.ts';
import { noneTwice } from '../toolsets/fields.ts';
import {
  DEFAULT_HOOK_TIMEOUT_MS,
  hookFailurePolicies,
  hookPoints,
  MAX_HOOK_TIMEOUT_MS,
  MIN_HOOK_TIMEOUT_MS,
  policyDecisions,
} from './rules.ts';

const MAX_URL = 2_048;
const URL_EXAMPLE = 'https://policy.example.com/toolgate';

/** The server refuses addresses of private networks besides. */
const url = limitedText(MAX_URL, `must have at most ${MAX_URL} characters`).meta({
  description: 'HTTPS URL outside of private networks; can have a path and a query. Redirects are not followed',
  example: URL_EXAMPLE,
});

const points = z
  .array(z.enum(hookPoints))
  .min(1)
  .refine(noneTwice, 'must not list a point twice')
  .meta({
    description:
      'When to ask the hook: `before` a call is sent to your API, with the arguments; `after` your API returned 2xx, with the result that the caller would get',
    example: ['before'],
  });

const timeout_ms = z.int().min(MIN_HOOK_TIMEOUT_MS).max(MAX_HOOK_TIMEOUT_MS).meta({
  description: 'How long the hook can take to respond, 100 to 3,000; all hooks of one call have 15 seconds in total',
  example: DEFAULT_HOOK_TIMEOUT_MS,
});

const on_failure = z.enum(hookFailurePolicies).meta({
  description:
    'What happens to a call if the hook gives no usable response in time: it is refused with `HOOK_FAILED`, or it continues',
});

const may_change = z.boolean().meta({
  description:
    "Whether `arguments` and `result` in the hook's responses replace those of the call; otherwise they are ignored",
});

const is_enabled = z.boolean().meta({ description: 'Whether toolgate asks the hook' });

const MATCH =
  'Which tools the hook applies to, by exactly one of ids, toolset and tags; null: every tool in the project';

export const hook = z
  .strictObject({
    id: z.string(),
    object: z.literal('hook'),
    project_id: z.string(),
    url: z.string().meta({ description: 'The URL that is asked', example: URL_EXAMPLE }),
    points,
    match: storedToolMatch.meta({ description: MATCH }),
    timeout_ms,
    on_failure,
    may_change,
    certificate_id,
    is_enabled,
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'The previous secret also signs requests until this time' }),
    ...resourceHistory,
  })
  .meta({ id: 'Hook' });

export type Hook = z.infer<typeof hook>;

export const newHook = hook
  .extend({
    secret: z
      .string()
      .meta({ description: 'The secret that signs requests to the hook. Shown only once', example: 'hksec_…' }),
  })
  .meta({ id: 'NewHook' });

export type NewHook = z.infer<typeof newHook>;

export const hookRequest = z
  .strictObject({
    url,
    points,
    match: toolMatch.default(null).meta({ description: MATCH }),
    timeout_ms: timeout_ms.default(DEFAULT_HOOK_TIMEOUT_MS),
    on_failure: on_failure.default('refuse'),
    may_change: may_change.default(false),
    certificate_id: certificate_id.default(null),
    is_enabled: is_enabled.default(true),
  })
  .meta({ id: 'HookRequest' });

export type HookRequest = z.infer<typeof hookRequest>;

export const hookChange = z
  .strictObject({
    url,
    points,
    match: toolMatch.meta({ description: MATCH }),
    timeout_ms,
    on_failure,
    may_change,
    certificate_id,
    is_enabled,
  })
  .partial()
  .meta({ id: 'HookChange' });

export type HookChange = z.infer<typeof hookChange>;

export const hookSecretRotation = z
  .strictObject({ overlap_seconds: secretOverlap('How long the old secret also signs requests; one day by default') })
  .meta({ id: 'HookSecretRotation' });

export type HookSecretRotation = z.infer<typeof hookSecretRotation>;

export const hookTestRequest = z
  .strictObject({
    call_id: text(1, 64).optional().meta({
      description: 'A logged call: its tool and member are sent, and its arguments and result if they were recorded',
    }),
    tool_id: text(1, 64).optional().meta({ description: "Instead of a call: a tool's id or name" }),
    point: z.enum(hookPoints).optional().meta({ description: "Default: the hook's first point" }),
    arguments: z.record(z.string(), z.unknown()).optional().meta({ description: "Replaces the call's arguments" }),
    result: z.unknown().optional().meta({ description: "Replaces the call's result, for the point `after`" }),
  })
  .refine(({ call_id, tool_id }) => (call_id === undefined) !== (tool_id === undefined), {
    message: 'must be given unless tool_id is given',
    path: ['call_id'],
  })
  .meta({ id: 'HookTestRequest' });

export type HookTestRequest = z.infer<typeof hookTestRequest>;

const decision = z.enum(policyDecisions).meta({
  description: "The hook's decision; `failed`: it gave no usable response, so `on_failure` applied",
});
const reason = z.string().nullable().meta({
  description: "The reason in the hook's response, at most 500 characters; for a failure, what went wrong",
});
const duration_ms = z.int().meta({ description: 'How long it took to respond' });

export const hookTest = z
  .strictObject({
    object: z.literal('hook_test'),
    hook_id: z.string().meta({ description: 'The hook that was asked' }),
    point: z.enum(hookPoints).meta({ description: 'The point at which it was asked' }),
    decision,
    reason,
    duration_ms,
    is_allowed: z.boolean().meta({
      description:
        "Whether such a call would continue, according to the hook's decision or `on_failure`; false if it would first need approval",
    }),
    request: z.unknown().meta({ description: 'The body that was sent' }),
    changed: z.unknown().meta({
      description:
        "The changed arguments or result from the hook's response, if the hook is allowed to change them; otherwise null",
    }),
  })
  .meta({ id: 'HookTest' });

export type HookTest = z.infer<typeof hookTest>;

/** For a tool call in the log. */
export const policyEntry = z
  .strictObject({
    hook_id: z.string().meta({ description: 'The hook that decided' }),
    point: z.enum(hookPoints).meta({ description: 'Whether the hook was asked before the call was sent, or after' }),
    decision,
    reason,
    duration_ms,
  })
  .meta({ id: 'PolicyEntry' });
