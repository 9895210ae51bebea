// Records the events of tool calls.

import { toolCallEvents } from '@toolgate/contract/tool-calls/events.ts';
import { recorderOf } from '../events/record.ts';

export const { newEvent } = recorderOf(toolCallEvents);
