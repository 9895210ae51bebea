// What went wrong at a provider, for whoever set it up: a code for programs, and for people what happened and what to do.

import { z } from 'zod';
import { timestamp } from '../fields.ts';

export const oauthProviderErrorCodes = [
  'unreachable',
  'discovery_invalid',
  'credentials_refused',
  'redirect_uri_mismatch',
  'refused',
  'answer_invalid',
] as const;

export type OAuthProviderErrorCode = (typeof oauthProviderErrorCodes)[number];

export const oauthProviderErrors: Record<OAuthProviderErrorCode, { message: string; remedy: string }> = {
  unreachable: {
    message: 'The provider does not respond.',
    remedy:
      'Check that the provider is running, and that its host is public or listed in TOOLGATE_EGRESS_ALLOW, then try again.',
  },
  discovery_invalid: {
    message: "The provider's configuration cannot be used.",
    remedy:
      'Check the issuer: its /.well-known/openid-configuration must be an OpenID document with exactly this issuer.',
  },
  credentials_refused: {
    message: 'The provider does not accept the client ID and the secret.',
    remedy: 'Copy client_id and client_secret again from the app at the provider.',
  },
  redirect_uri_mismatch: {
    message: 'The provider does not know the callback URL.',
    remedy: 'Register the callback_url at the provider, exactly as it is written here.',
  },
  refused: {
    message: 'The provider refused the sign-in.',
    remedy: 'Compare client_id, client_secret, callback_url and scopes with the app at the provider.',
  },
  answer_invalid: {
    message: "The provider's response cannot be used.",
    remedy:
      'Compare issuer and client_id with the app at the provider; if they are right, the provider violates the protocol, so contact its operator.',
  },
};

export const oauthProviderError = z
  .strictObject({
    code: z.enum(oauthProviderErrorCodes).meta({ description: 'What failed, for programs' }),
    message: z.string().meta({ description: 'What failed, in one sentence' }),
    reason: z.string().meta({ description: 'The step that failed, and what the provider returned' }),
    remedy: z.string().meta({ description: 'How to fix it' }),
    created_at: timestamp.meta({ description: 'When it failed' }),
  })
  .meta({ id: 'OAuthProviderError' });

export type OAuthProviderError = z.infer<typeof oauthProviderError>;
