// The event of log streams, and the changes to them that have an audit entry only.

import { logStreamEvents } from '@toolgate/contract/log-streams/events.ts';
import { recorderOf } from '../events/record.ts';

type AuditOnly = 'log_stream.created' | 'log_stream.updated' | 'log_stream.secret_rotated' | 'log_stream.deleted';

export const { recordChange } = recorderOf<typeof logStreamEvents, AuditOnly>(logStreamEvents);
