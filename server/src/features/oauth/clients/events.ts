// Changes of OAuth clients. They have an audit entry and no event (contract 8).

import { recorderOf } from '../../activity/events/record.ts';

type AuditOnly =
  | 'oauth_client.created'
  | 'oauth_client.updated'
  | 'oauth_client.secret_rotated'
  | 'oauth_client.deleted';

export const { recordChange } = recorderOf<Record<never, never>, AuditOnly>({});
