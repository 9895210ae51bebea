// A refusal in the form of RFC 6749 5.2, for the endpoints that OAuth clients call.

import { type ApiError, docsUrl } from '../../../errors/errors.ts';

const PREFIX = 'OAUTH_';

/** The error of RFC 6749 that a refusal is, or null. */
export const oauthCode = ({ code }: ApiError) =>
  code.startsWith(PREFIX) ? code.slice(PREFIX.length).toLowerCase() : null;

export function oauthError(refusal: ApiError, public_url: string) {
  const { status } = refusal;
  const error = oauthCode(refusal);
  return {
    status: error !== null || status >= 500 || status === 429 ? status : 400,
    body: {
      error: error ?? errorOf(status),
      error_description: describeError(refusal),
      error_uri: docsUrl(public_url, refusal.anchor),
    },
  };
}

function errorOf(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** RFC 6749 allows no other characters. */
export const describeError = ({ message, remedy }: ApiError) =>
  `${message}. ${remedy}`.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ');
