// Records the events of projects and of their rate limits.

import { projectEvents, rateLimitEvents } from '@toolgate/contract/projects/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { newEvent, recordChange } = recorderOf({ ...projectEvents, ...rateLimitEvents });
