// The choices of an API key. Without zod: the dashboard ships it to browsers.

export const apiKeyStatuses = ['active', 'inactive', 'revoked', 'expired'] as const;
