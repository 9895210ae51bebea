// Records the events of tools. They carry a summary: a whole definition would be too large for every receiver.

import { customToolEvents } from '@toolgate/contract/custom-tools/events.ts';
import { type EventChange, recorderOf } from '../../activity/events/record.ts';

export const { recordChanges } = recorderOf(customToolEvents);

export type ToolChanged = EventChange<typeof customToolEvents>;
