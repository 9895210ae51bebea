// Changes of hooks have an audit entry and no event: a webhook would tell receivers which policies there are.

import { recorderOf } from '../../activity/events/record.ts';

type AuditOnly = 'hook.created' | 'hook.updated' | 'hook.deleted' | 'hook.secret_rotated';

export const { recordChange } = recorderOf<Record<never, never>, AuditOnly>({});
