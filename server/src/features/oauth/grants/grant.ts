// A grant: its columns, and how responses show it. Code and tokens are stored as hashes.

import type { OAuthGrant } from '@toolgate/contract/oauth-grants/oauth-grant.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';

/** The columns of the public form. */
export const grantColumns = [
  'id',
  'project_id',
  'member_id',
  'provider_id',
  'client_kind',
  'client_id',
  'client_name',
  'integration_id',
  'scopes',
  'toolsets',
  'resource',
  'created_at',
  'last_used_at',
  'refresh_expires_at',
] as const;

export type GrantRow = Row<'oauth_grants'>;

type Shown = Pick<GrantRow, (typeof grantColumns)[number]>;

export function showGrant({ refresh_expires_at, toolsets, ...row }: Shown): OAuthGrant {
  const approved =
    toolsets && Object.entries(toolsets).map(([toolset_id, approved_at]) => ({ toolset_id, approved_at }));
  return { object: 'oauth_grant', ...row, toolsets: approved, expires_at: refresh_expires_at };
}

/** Changes of grants have an audit entry and no event of their own: `member_session.revoked` reports the sessions that ended. */
const none = Object.freeze({});

export const { recordChange } = recorderOf<typeof none, 'oauth_grant.created' | 'oauth_grant.revoked'>(none);
