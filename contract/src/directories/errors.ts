// The errors of directories.

import type { ErrorRow } from '../error-row.ts';

export const directoriesErrors = {
  listingIncomplete: {
    status: 409,
    code: 'LISTING_INCOMPLETE',
    message: 'The entry for the registry cannot be made',
    cause: 'The setting `listing` lacks a field that the MCP registry demands. details.field names it.',
    remedy: 'Set the field in the settings of the project.',
    step: 'body',
  },
} as const satisfies Record<string, ErrorRow>;
