// Records the events of connections.

import { oauthConnectionEvents } from '@toolgate/contract/oauth-connections/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(oauthConnectionEvents);
