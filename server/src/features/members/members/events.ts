// Records the event of a deleted member. Reading it needs admin, as listing members does.

import { memberEvents } from '@toolgate/contract/members/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(memberEvents);
