// The choices and bounds of limits. Without zod: the dashboard ships it to browsers.

/** Whose calls are counted together. */
export const limitSubjects = ['project', 'api_key', 'integration', 'oauth_client', 'member'] as const;

export type LimitSubject = (typeof limitSubjects)[number];

export const MAX_LIMITS = 50;
/** How many may apply to one tool. */
export const MAX_LIMITS_OF_TOOL = 10;
export const MAX_LIMIT = 1_000_000;
export const MAX_WINDOW_SECONDS = 86_400;
export const MAX_LIMIT_TOOLS = 500;
export const MAX_LIMIT_TAGS = 20;
export const MAX_OVERRIDES = 1_000;
/** For a tool: how much one call of it counts. */
export const MAX_WEIGHT = 1_000;
/** How many subjects the usage of a limit names. */
export const MAX_USAGE_SUBJECTS = 100;
