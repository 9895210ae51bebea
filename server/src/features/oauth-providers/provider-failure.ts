// What went wrong at a provider, for whoever set it up: a code for programs, and for people what happened and what to do.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';
import type { ProviderError } from './provider-error.ts';

const failureCodes = [
  'unreachable',
  'discovery_invalid',
  'credentials_refused',
  'redirect_uri_mismatch',
  'refused',
  'answer_invalid',
] as const;

export type FailureCode = (typeof failureCodes)[number];

export const failures: Record<FailureCode, { message: string; remedy: string }> = {
  unreachable: {
    message: 'The provider does not respond.',
    remedy:
      'Check that the provider is up, and that its address is public or named in TOOLGATE_EGRESS_ALLOW. Then try again.',
  },
  discovery_invalid: {
    message: 'The configuration of the provider cannot be used.',
    remedy:
      'Check the issuer: its /.well-known/openid-configuration must be an OpenID document that names exactly this issuer.',
  },
  credentials_refused: {
    message: 'The provider does not accept the client ID and the secret.',
    remedy: 'Copy client_id and client_secret again from the app at the provider.',
  },
  redirect_uri_mismatch: {
    message: 'The provider does not know the callback URL.',
    remedy: 'Register the callback_url at the provider, letter by letter.',
  },
  refused: {
    message: 'The provider refused the sign-in.',
    remedy: 'Compare client_id, client_secret, callback_url and scopes with the app at the provider.',
  },
  answer_invalid: {
    message: 'The answer of the provider cannot be used.',
    remedy:
      'Compare issuer and client_id with the app at the provider. If they are right, the provider breaks the protocol: ask who runs it.',
  },
};

/** GitHub has its own word for `invalid_client`. */
const credentialErrors = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'];

export function failureOf({ kind, error_code }: ProviderError, is_discovery: boolean): FailureCode {
  if (kind === 'unreachable') return 'unreachable';
  if (is_discovery) return 'discovery_invalid';
  if (kind === 'invalid') return 'answer_invalid';
  if (error_code === 'redirect_uri_mismatch') return 'redirect_uri_mismatch';
  // Without a code it asked for credentials by status 401.
  return error_code === null || credentialErrors.includes(error_code) ? 'credentials_refused' : 'refused';
}

export const lastErrorSchema = z
  .strictObject({
    code: z.enum(failureCodes).meta({ description: 'What failed, for programs' }),
    message: z.string().meta({ description: 'What failed, in one sentence' }),
    reason: z.string().meta({ description: 'The step that failed, and what the provider answered' }),
    remedy: z.string().meta({ description: 'What to do about it' }),
    created_at: timestamp.meta({ description: 'When it failed' }),
  })
  .meta({ id: 'OAuthProviderError' });

export function showLastError(stored: Row<'oauth_providers'>['last_error']): z.infer<typeof lastErrorSchema> | null {
  if (stored === null) return null;
  const { reason, created_at } = stored;
  const code = stored.code as FailureCode;
  return { code, ...failures[code], reason, created_at };
}
