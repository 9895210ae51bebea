// The choices and limits of a project. Without zod: the dashboard ships it to browsers.

export const environments = ['development', 'production'] as const;

export const oauthMemberIds = ['subject', 'email'] as const;

export const MAX_INSTRUCTIONS_LENGTH = 8_192;
export const MIN_RESPONSE_BYTES = 1_024;
export const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
