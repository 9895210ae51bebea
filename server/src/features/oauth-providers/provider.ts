// An OAuth provider: where the members of a project sign in. Stored and public form; the client secret is never returned.

import { z } from 'zod';
import { permissions as permissionNames } from '../../access/permissions.ts';
import { name, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';
import { lastErrorSchema, showLastError } from './provider-failure.ts';

export const providerColumns = [
  'id',
  'project_id',
  'provider',
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'member_prefix',
  'scopes',
  'permissions',
  'is_enabled',
  'created_by',
  'created_at',
  'updated_at',
  'last_error',
] as const;

export type ProviderRow = Row<'oauth_providers'>;

/** A provider with the organization of its project, and the quota group whose slots the requests to it use. */
export type Provider = ProviderRow & { quota_group_id: string; organization_id: string };

export const providerKinds = ['google', 'github', 'oidc'] as const;
export type ProviderKind = (typeof providerKinds)[number];

export const kind = z.enum(providerKinds).meta({ description: 'oidc: any OpenID issuer, by its discovery document' });

export const providerSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_provider'),
    project_id: z.string(),
    provider: kind,
    name,
    issuer: z
      .string()
      .meta({ description: 'Who vouches for the people who sign in', example: 'https://accounts.google.com' }),
    client_id: z.string().meta({ description: 'Of your app at the provider' }),
    scopes: z.array(z.string()).meta({ description: 'Requested at every sign-in', example: ['openid', 'email'] }),
    permissions: z
      .array(z.enum(permissionNames))
      .meta({ description: 'The most that a person who signs in here can be granted on the management API' }),
    is_enabled: z.boolean().meta({ description: 'Nobody can sign in at one that is not enabled' }),
    callback_url: z.string().meta({
      description: 'Register this redirect URI at the provider',
      example: 'https://tools.example.com/api/v1/oauth/callback/oap_6tRx1nZcQm4vWk8YbF3sHd',
    }),
    member_prefix: z.string().meta({
      description: 'External ids of members who sign in here are `<member_prefix>:<subject>`',
      example: 'google',
    }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
    updated_at: timestamp,
    last_error: lastErrorSchema.nullable().meta({
      description:
        'Why a sign-in here last failed, if it is something to repair; written at most once a minute. Null after the next sign-in, and after a change of client_id or client_secret',
    }),
  })
  .meta({ id: 'OAuthProvider' });

export type ProviderAnswer = z.infer<typeof providerSchema>;

export const callbackUrl = (public_url: string, provider_id: string) =>
  `${public_url}/api/v1/oauth/callback/${provider_id}`;

export function showProvider(row: ProviderRow, public_url: string): ProviderAnswer {
  const { client_secret: _, ...shown } = row;
  const last_error = showLastError(row.last_error);
  return { object: 'oauth_provider', ...shown, callback_url: callbackUrl(public_url, row.id), last_error };
}

/** The external id of a member who signed in. */
export const externalIdOf = ({ member_prefix }: Pick<ProviderRow, 'member_prefix'>, subject: string) =>
  `${member_prefix}:${subject}`;
