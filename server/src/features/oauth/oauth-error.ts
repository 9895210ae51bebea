// A refusal in the form of RFC 6749 5.2, for the endpoints that OAuth clients call.

import type { ApiError } from '../../errors.ts';

const oauthCodes = new Set([
  'INVALID_REQUEST',
  'INVALID_CLIENT',
  'INVALID_GRANT',
  'INVALID_SCOPE',
  'INVALID_TARGET',
  'UNSUPPORTED_GRANT_TYPE',
  'INVALID_REDIRECT_URI',
  'INVALID_CLIENT_METADATA',
]);

export function oauthError({ status, code, message, details }: ApiError) {
  const error_description = typeof details.reason === 'string' ? `${message}: ${details.reason}` : message;
  const known = oauthCodes.has(code);
  return {
    status: known || status >= 500 || status === 429 ? status : 400,
    body: {
      error: known ? code.toLowerCase() : errorOf(status),
      // RFC 6749 allows no other characters.
      error_description: error_description.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' '),
    },
  };
}

function errorOf(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
