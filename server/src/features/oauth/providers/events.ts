// Records the events of OAuth providers.

import { oauthProviderEvents } from '@toolgate/contract/oauth-providers/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(oauthProviderEvents);
