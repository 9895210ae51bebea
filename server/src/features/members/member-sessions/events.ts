// Records the events of member sessions. Reading them needs admin, as listing members does.

import { memberSessionEvents } from '@toolgate/contract/member-sessions/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { newEvent, recordChange } = recorderOf(memberSessionEvents);
