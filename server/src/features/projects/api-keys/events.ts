// Records the events of API keys. Reading them needs admin, as listing keys does.

import { apiKeyEvents } from '@toolgate/contract/api-keys/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(apiKeyEvents);
