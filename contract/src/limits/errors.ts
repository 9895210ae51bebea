// The errors of limits.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const limitsErrors = {
  toolLimitReached: {
    status: 429,
    code: 'TOOL_LIMIT_REACHED',
    message: 'Limit of the tool reached',
    cause: 'A limit of the project allows no more calls of this tool in its window. details.limit_name names it.',
    remedy: 'Retry after retry_after_seconds, or raise the limit or add an override under Limits.',
    step: 'limit',
    // A model can wait for it, and use other tools meanwhile: 429 as a status is that of the plan.
    over_mcp: 'result',
    retryable: true,
    advice: ({ retry_after_seconds: seconds }) =>
      `Too many calls of this tool: the same call passes in ${seconds} second${seconds === 1 ? '' : 's'}. Do not repeat it before.`,
  },
} as const satisfies Record<string, ErrorRow>;

export const limitsReasons = {
  weight_above_limit: {
    cause: 'One call of the tool would count more than a limit that applies to it allows, so that it could never pass.',
    remedy: 'Lower the weight of the tool, or raise the limit and its overrides to at least that weight.',
  },
  too_many_limits_of_tool: {
    cause: 'More than 10 limits would apply to one tool.',
    remedy: 'Delete limits that are not needed, or let one match fewer tools.',
  },
  toolset_of_limit_unknown: {
    cause: 'The project has no toolset with this slug.',
    remedy: 'Use the slug of a toolset of this project.',
  },
} as const satisfies Record<string, ReasonRow>;
