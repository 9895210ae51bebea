// Records the events of assertion keys.

import { assertionKeyEvents } from '@toolgate/contract/assertion-keys/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(assertionKeyEvents);
