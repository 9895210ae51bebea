// Changes of limits, which have an audit entry and no event, and the event of a limit that was reached.

import { limitEvents } from '@toolgate/contract/limits/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

type AuditOnly = 'limit.created' | 'limit.updated' | 'limit.deleted';

export const { newEvent, recordChange } = recorderOf<typeof limitEvents, AuditOnly>(limitEvents);
