// The errors of API keys.

import type { ErrorRow } from '../error-row.ts';

export const apiKeysErrors = {
  keyNotActive: {
    status: 409,
    code: 'API_KEY_NOT_ACTIVE',
    message: 'API key is revoked or expired',
    cause: 'The API key was revoked or has expired. Both are final.',
    remedy: 'Use an active key or create a new one: a revoked or expired key cannot be reactivated.',
    step: 'answer',
  },
  keyRotated: {
    status: 409,
    code: 'API_KEY_ALREADY_ROTATED',
    message: 'API key was already rotated',
    cause: 'The API key already has a successor.',
    remedy: 'Rotate the successor instead: value is its id.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;
