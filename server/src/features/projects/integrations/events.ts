// Records the events of integrations.

import { integrationEvents } from '@toolgate/contract/integrations/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const { recordChange } = recorderOf(integrationEvents);
