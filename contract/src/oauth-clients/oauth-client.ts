// An OAuth client: an app that sends its users here to sign in, or a machine that gets tokens for itself. Its secret is shown once.

import { z } from 'zod';
import { limitedText, name, resourceHistory, secretOverlap, text, timestamp } from '../fields.ts';
import { toolsetIds } from '../toolsets/fields.ts';
import { jwks, jwksUri } from './jwks.ts';
import { redirectUriProblem } from './redirect-uri.ts';
import { defaultGrantTypes, oauthGrantTypes } from './rules.ts';

const grant_types = z
  .array(z.enum(oauthGrantTypes))
  .max(oauthGrantTypes.length, { abort: true })
  .refine((given) => new Set(given).size === given.length, 'must not list a grant type twice')
  .meta({
    description:
      'How the client gets tokens: `authorization_code` and `refresh_token` for people who sign in, `client_credentials` for itself, as a machine. Any client that is not public can also exchange ID-JAGs',
    example: ['authorization_code', 'refresh_token'],
  });

export const oauthClient = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_client'),
    project_id: z.string(),
    client_id: z.string().meta({ description: 'The same as `id`', example: 'oac_3pWn8sLcVd5yTk1QmX7zRb' }),
    name,
    redirect_uris: z.array(z.string()).meta({
      description: 'Where codes can be sent, compared character by character',
      example: ['https://app.example.com/callback'],
    }),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'Sign-ins through this client create sessions of this integration' }),
    toolset_ids: toolsetIds,
    is_public: z
      .boolean()
      .meta({ description: 'Whether the client cannot keep a secret: it has none, and must use PKCE' }),
    grant_types,
    jwks,
    jwks_uri: z.string().nullable().meta({
      description: 'The URL of its public keys for `private_key_jwt`; null for none',
      example: 'https://app.example.com/jwks.json',
    }),
    secret_last4: z
      .string()
      .nullable()
      .meta({ description: 'The last characters of its secret; null for a public client or a client with keys' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'The previous secret is also accepted until this time' }),
    ...resourceHistory,
  })
  .meta({ id: 'OAuthClient' });

export type OAuthClient = z.infer<typeof oauthClient>;

export const newOAuthClient = oauthClient
  .extend({
    client_secret: z
      .string()
      .nullable()
      .meta({ description: 'Shown only once; null for a public client or a client with keys', example: 'svc_ocs_…' }),
  })
  .meta({ id: 'NewOAuthClient' });

export type NewOAuthClient = z.infer<typeof newOAuthClient>;

const MAX_URI = 2048;
const MAX_URIS = 20;

const redirectUri = limitedText(MAX_URI).superRefine((text, context) => {
  const problem = redirectUriProblem(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const redirectUris = z
  .array(redirectUri)
  .max(MAX_URIS, { abort: true })
  .refine((given) => new Set(given).size === given.length, 'must not list a URI twice')
  .meta({
    description:
      'Where codes can be sent: https, or http on a loopback address; compared character by character. Can be empty without the grant type `authorization_code`',
    example: ['https://app.example.com/callback'],
  });

const integration_id = text(1, 64)
  .nullable()
  .meta({ description: 'Sign-ins through this client create sessions of this integration' });

const is_public = z
  .boolean()
  .meta({ description: 'Whether the app cannot keep a secret, such as a phone app: it gets none and must use PKCE' });

export const oauthClientRequest = z
  .strictObject({
    name,
    redirect_uris: redirectUris.default([]),
    integration_id: integration_id.default(null),
    is_public: is_public.default(false),
    grant_types: grant_types.default([...defaultGrantTypes]),
    jwks: jwks.default(null),
    jwks_uri: jwksUri.default(null),
    toolset_ids: toolsetIds.default(null),
  })
  .meta({ id: 'OAuthClientRequest' });

export type OAuthClientRequest = z.infer<typeof oauthClientRequest>;

export const oauthClientChange = z
  .strictObject({
    name,
    redirect_uris: redirectUris,
    integration_id,
    is_public: is_public.meta({ description: 'Cannot be changed' }),
    grant_types,
    jwks,
    jwks_uri: jwksUri,
    toolset_ids: toolsetIds,
  })
  .partial()
  .meta({ id: 'OAuthClientChange' });

export type OAuthClientChange = z.infer<typeof oauthClientChange>;

export const oauthClientSecretRotation = z
  .strictObject({ overlap_seconds: secretOverlap('How long the old secret is also accepted; one day by default') })
  .meta({ id: 'OAuthClientSecretRotation' });

export type OAuthClientSecretRotation = z.infer<typeof oauthClientSecretRotation>;
