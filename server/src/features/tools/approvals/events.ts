// Records the events of approvals. A decision also has an audit entry; a request is made by a model and has none.

import { approvalEvents } from '@toolgate/contract/approvals/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { newEvent, recordChange, recordChanges } = recorderOf(approvalEvents);
