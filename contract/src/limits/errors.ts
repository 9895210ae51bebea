// The errors of limits.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const limitsErrors = {
  toolLimitReached: {
    status: 429,
    code: 'TOOL_LIMIT_REACHED',
    message: 'Tool limit reached',
    cause: "One of the project's limits allows no more calls to this tool in its window: see details.limit_name.",
    remedy: 'Retry after retry_after_seconds; to allow more calls, raise the limit or add an override under Limits.',
    step: 'limit',
    // A model can wait for it, and use other tools meanwhile: 429 as a status is that of the plan.
    over_mcp: 'result',
    retryable: true,
    advice: ({ retry_after_seconds: seconds }) =>
      `Too many calls to this tool: the same call succeeds in ${seconds} second${seconds === 1 ? '' : 's'}. Do not repeat it earlier.`,
  },
} as const satisfies Record<string, ErrorRow>;

export const limitsReasons = {
  weight_above_limit: {
    cause: 'One call to the tool would count more than a limit that applies to it allows, so it could never succeed.',
    remedy: "Lower the tool's weight, or raise the limit and its overrides to at least that weight.",
  },
  too_many_limits_of_tool: {
    cause: 'More than 10 limits would apply to one tool.',
    remedy: 'Delete limits that you no longer need, or make one match fewer tools.',
  },
  toolset_of_limit_unknown: {
    cause: 'The project has no toolset with this slug.',
    remedy: 'Use the slug of a toolset of this project.',
  },
} as const satisfies Record<string, ReasonRow>;
