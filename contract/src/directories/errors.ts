// The errors of directories.

import type { ErrorRow } from '../error-row.ts';

export const directoriesErrors = {
  listingIncomplete: {
    status: 409,
    code: 'LISTING_INCOMPLETE',
    message: 'The registry entry cannot be created',
    cause: 'The setting `listing` lacks a field that the MCP registry requires: see details.field.',
    remedy: 'Set the field in the project settings.',
    step: 'body',
  },
} as const satisfies Record<string, ErrorRow>;
