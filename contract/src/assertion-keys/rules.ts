// The choices and limits of an assertion key. Without zod: the dashboard ships it to browsers.

export const assertionAlgorithms = ['ES256', 'ES384', 'Ed25519', 'RS256'] as const;

export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];

export const assertionKeyStatuses = ['active', 'deactivated'] as const;

export const MAX_KID_LENGTH = 128;
