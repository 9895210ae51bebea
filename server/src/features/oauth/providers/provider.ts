// An OAuth provider: its columns, and how responses show it: without its client secret.

import { oauthProviderEvents } from '@toolgate/contract/oauth-providers/events.ts';
import type { OAuthProvider } from '@toolgate/contract/oauth-providers/oauth-provider.ts';
import type { Project } from '../../../access/caller.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { showLastError } from './provider-failure.ts';

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
  'allowed_origins',
  'toolset_ids',
  'accepts_id_jag',
  'required_claims',
  'link_by',
  'max_assertion_seconds',
  'certificate_id',
  'is_enabled',
  'is_approved',
  'created_by',
  'created_at',
  'updated_at',
  'last_error',
  'mcp_server_id',
  'server_url',
  'resource',
  'pinned_issuer',
  'found_issuer',
  'is_found_reported',
] as const;

export type ProviderRow = Row<'oauth_providers'>;

/**
 * A provider with the environment and organization of its project, and the fairness key of what is done for it. One that is
 * not approved is not enabled in production.
 */
export type Provider = ProviderRow & Pick<Project, 'environment' | 'fairness_key' | 'organization_id'>;

/** As the database permits need it. */
export const projectOfProvider = ({ project_id, fairness_key }: Pick<Provider, 'project_id' | 'fairness_key'>) => ({
  id: project_id,
  fairness_key,
});

export const callbackUrl = (public_url: string, provider_id: string) =>
  `${public_url}/api/v1/oauth/callback/${provider_id}`;

export function showProvider(row: ProviderRow, public_url: string): OAuthProvider {
  const { client_secret: _, mcp_server_id, server_url, resource, pinned_issuer, found_issuer, ...others } = row;
  const { is_found_reported, ...shown } = others;
  const last_error = showLastError(row.last_error);
  return { object: 'oauth_provider', ...shown, callback_url: callbackUrl(public_url, row.id), last_error };
}

/** How people who sign in are known: as the project says, unless the provider links them by the email address. */
export const knownBy = ({ settings }: Pick<Project, 'settings'>, { link_by }: Pick<ProviderRow, 'link_by'>) =>
  link_by === 'email' ? 'email' : settings.oauth_member_id;

/** The external id of a member who signed in. */
export const externalIdOf = ({ member_prefix }: Pick<ProviderRow, 'member_prefix'>, subject: string) =>
  `${member_prefix}:${subject}`;

export const { recordChange } = recorderOf(oauthProviderEvents);
