// The errors of API keys.

import type { ErrorRow } from '../error-row.ts';

export const apiKeysErrors = {
  keyNotActive: {
    status: 409,
    code: 'API_KEY_NOT_ACTIVE',
    message: 'API key is revoked or expired',
    cause: 'The API key was revoked or has expired. Both are final.',
    remedy: 'Use or create an active key: a revoked or expired one cannot be changed back.',
    step: 'answer',
  },
  keyRotated: {
    status: 409,
    code: 'API_KEY_ALREADY_ROTATED',
    message: 'API key was already rotated',
    cause: 'The API key has a successor already.',
    remedy: 'Rotate the successor instead: value has its id.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;
