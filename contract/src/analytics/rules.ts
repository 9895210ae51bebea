// The choices of analytics and of the call log. Without zod: the dashboard ships it to browsers.

export const intervals = ['minute', 'hour', 'day'] as const;

export type Interval = (typeof intervals)[number];

export const groupings = ['tool', 'api_key', 'member', 'integration', 'outcome', 'error_code', 'transport'] as const;

export type Grouping = (typeof groupings)[number];

export const transports = ['rest', 'mcp'] as const;

export type Transport = (typeof transports)[number];

/** How a model came to a tool that was not in its list. */
export const vias = ['search'] as const;

export type Via = (typeof vias)[number];

/** Who a limit refused: the member of a call, else the person who tried the tool, else the key. */
export const limitedCallers = ['member', 'api_key', 'account'] as const;

export const toolCallOutcomes = ['succeeded', 'failed'] as const;
