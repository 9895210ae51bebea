// What went wrong at a provider, by its code in the contract.

import {
  type OAuthProviderError,
  type OAuthProviderErrorCode,
  oauthProviderErrors,
} from '@toolgate/contract/oauth-providers/oauth-provider-error.ts';
import type { Row } from '../../../database/tables.ts';
import type { ProviderError } from '../../../openid/provider-error.ts';

/** GitHub has its own word for `invalid_client`. */
const credentialErrors = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'];

export function failureOf({ kind, error_code }: ProviderError, is_discovery: boolean): OAuthProviderErrorCode {
  if (kind === 'unreachable') return 'unreachable';
  if (is_discovery) return 'discovery_invalid';
  if (kind === 'invalid') return 'answer_invalid';
  if (error_code === 'redirect_uri_mismatch') return 'redirect_uri_mismatch';
  // Without a code it asked for credentials by status 401.
  return error_code === null || credentialErrors.includes(error_code) ? 'credentials_refused' : 'refused';
}

export function showLastError(stored: Row<'oauth_providers'>['last_error']): OAuthProviderError | null {
  if (stored === null) return null;
  const { code, reason, created_at } = stored;
  return { code, ...oauthProviderErrors[code], reason, created_at };
}
