// A hook: a policy of the customer's own that decides about calls of tools. What is sent to create, change and try one.

import { z } from 'zod';
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
  description: 'HTTPS, outside of private networks; a path and a query are allowed. Redirects are not followed',
  example: URL_EXAMPLE,
});

const points = z
  .array(z.enum(hookPoints))
  .min(1)
  .refine(noneTwice, 'must not name a point twice')
  .meta({
    description:
      'When it is asked: `before` a call is sent to your API, with the arguments; `after` your API returned 2xx, with the result that the caller would get',
    example: ['before'],
  });

const timeout_ms = z.int().min(MIN_HOOK_TIMEOUT_MS).max(MAX_HOOK_TIMEOUT_MS).meta({
  description: 'How long it may take to respond, 100 to 3,000; all hooks of one call together have 15 seconds',
  example: DEFAULT_HOOK_TIMEOUT_MS,
});

const on_failure = z.enum(hookFailurePolicies).meta({
  description:
    'What happens to a call if the hook gives no usable response in time: it is refused with `HOOK_FAILED`, or it goes on',
});

const may_change = z.boolean().meta({
  description:
    'Whether `arguments` and `result` of its responses replace those of the call; otherwise they are ignored',
});

const is_enabled = z.boolean().meta({ description: 'One that is not enabled is not asked' });

const MATCH = 'Which tools it is asked for, by exactly one of ids, toolset and tags; null: every tool of the project';

export const hook = z
  .strictObject({
    id: z.string(),
    object: z.literal('hook'),
    project_id: z.string(),
    url: z.string().meta({ description: 'Where it is asked', example: URL_EXAMPLE }),
    points,
    match: storedToolMatch.meta({ description: MATCH }),
    timeout_ms,
    on_failure,
    may_change,
    is_enabled,
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'Until then the secret before the last rotation signs too' }),
    ...resourceHistory,
  })
  .meta({ id: 'Hook' });

export type Hook = z.infer<typeof hook>;

export const newHook = hook
  .extend({
    secret: z.string().meta({ description: 'Signs what is sent to it. Shown this once', example: 'hksec_…' }),
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
    is_enabled,
  })
  .partial()
  .meta({ id: 'HookChange' });

export type HookChange = z.infer<typeof hookChange>;

export const hookSecretRotation = z
  .strictObject({ overlap_seconds: secretOverlap('How long the old secret signs too; one day by default') })
  .meta({ id: 'HookSecretRotation' });

export type HookSecretRotation = z.infer<typeof hookSecretRotation>;

export const hookTestRequest = z
  .strictObject({
    call_id: text(1, 64).optional().meta({
      description: 'A call of the log, whose tool, member and, if they were recorded, arguments and result are sent',
    }),
    tool_id: text(1, 64).optional().meta({ description: 'Instead of a call: the id or the name of a tool' }),
    point: z.enum(hookPoints).optional().meta({ description: 'The first point of the hook by default' }),
    arguments: z.record(z.string(), z.unknown()).optional().meta({ description: 'Instead of those of the call' }),
    result: z.unknown().optional().meta({ description: 'Instead of that of the call, for the point `after`' }),
  })
  .refine(({ call_id, tool_id }) => (call_id === undefined) !== (tool_id === undefined), {
    message: 'must be given, or else tool_id',
    path: ['call_id'],
  })
  .meta({ id: 'HookTestRequest' });

export type HookTestRequest = z.infer<typeof hookTestRequest>;

const decision = z.enum(policyDecisions).meta({
  description: 'What the hook decided; `failed`: it gave no usable response, so that `on_failure` decided',
});
const reason = z.string().nullable().meta({
  description: 'The reason of its response, 500 characters at most; of a failure, what went wrong',
});
const duration_ms = z.int().meta({ description: 'How long it took to respond' });

export const hookTest = z
  .strictObject({
    object: z.literal('hook_test'),
    hook_id: z.string().meta({ description: 'The hook that was asked' }),
    point: z.enum(hookPoints).meta({ description: 'The point that it was asked for' }),
    decision,
    reason,
    duration_ms,
    is_allowed: z.boolean().meta({
      description:
        'Whether such a call would go on, by the decision or by `on_failure`; one to be confirmed would not yet',
    }),
    request: z.unknown().meta({ description: 'The body that was sent' }),
    changed: z.unknown().meta({
      description: 'The changed arguments or result of its response, if it may change them; otherwise null',
    }),
  })
  .meta({ id: 'HookTest' });

export type HookTest = z.infer<typeof hookTest>;

/** For a tool call in the log. */
export const policyEntry = z
  .strictObject({
    hook_id: z.string().meta({ description: 'The hook that decided' }),
    point: z.enum(hookPoints).meta({ description: 'Whether it was asked before the call was sent, or after' }),
    decision,
    reason,
    duration_ms,
  })
  .meta({ id: 'PolicyEntry' });
