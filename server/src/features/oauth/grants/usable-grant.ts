// A grant with its member and the permissions of its provider: what is needed to issue a token.

import type { Permission } from '@toolgate/contract/permissions.ts';
import type { GrantRow } from './grant.ts';

export type UsableGrant = Pick<
  GrantRow,
  | 'id'
  | 'project_id'
  | 'member_id'
  | 'integration_id'
  | 'client_id'
  | 'scopes'
  | 'resource'
  | 'redirect_uri'
  | 'code_challenge'
  | 'code_used_at'
  | 'refresh_hash'
  | 'previous_refresh_hash'
  | 'refresh_expires_at'
  | 'revoked_at'
  | 'claims'
  | 'toolsets'
  | 'created_at'
> & {
  external_id: string;
  /** Null if the provider was deleted. */
  grantable: Permission[] | null;
};
