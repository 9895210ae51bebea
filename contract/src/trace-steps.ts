// The steps of a request, for the call log and for request traces.

/** In the order in which a request passes them. `body` stands for path, query, headers and body; `answer` for the operation itself. */
export const steps = [
  'credential',
  'rate_limit',
  'permission',
  'body',
  'tool',
  'toolset',
  'member',
  'arguments',
  'policy',
  'confirmation',
  'limit',
  'address',
  'upstream',
  'answer',
] as const;

export type Step = (typeof steps)[number];
