// The events of webhooks, and the changes to webhooks that have an audit entry only: a webhook would receive the event of
// its own change.

import { pingEvents, webhookEvents } from '@toolgate/contract/webhooks/events.ts';
import { recorderOf } from '../events/record.ts';

const kinds = { ...webhookEvents, ...pingEvents };

type AuditOnly =
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.secret_rotated'
  | 'webhook.deleted'
  | 'webhook.recovered';

export const { newEvent, recordChange } = recorderOf<typeof kinds, AuditOnly>(kinds);
