// Records the events of toolsets.

import { toolsetEvents } from '@toolgate/contract/toolsets/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(toolsetEvents);
