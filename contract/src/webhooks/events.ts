// The events of webhooks, and the changes to webhooks that have an audit entry only: a webhook would receive the event of
// its own change.

import { z } from 'zod';
import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { webhook } from './webhook.ts';

export const webhookEvents = {
  'webhook.disabled': {
    description: 'A webhook was disabled because its deliveries failed',
    data: webhook,
    example: {
      object: 'webhook',
      id: exampleIds.webhook_id,
      project_id: exampleIds.project_id,
      url: 'https://example.com/hooks/toolgate',
      events: ['*'],
      description: null,
      is_enabled: false,
      disabled_reason: 'failing',
      failing_since: '2026-11-10T12:00:00.000000Z',
      previous_secret_ends_at: null,
      header_names: [],
      certificate_id: null,
      created_at: exampleTime,
      created_by: 'root',
      updated_at: exampleTime,
    },
    readable_with: 'read',
  },
} satisfies Record<string, EventKind>;

const ping = z
  .strictObject({ webhook_id: z.string().meta({ description: 'Id of the webhook that was pinged' }) })
  .meta({ id: 'Ping' });

export const pingEvents = {
  ping: {
    description: 'Sent on request to test one webhook; no other webhook receives it',
    data: ping,
    example: { webhook_id: exampleIds.webhook_id },
    readable_with: 'read',
  },
} satisfies Record<string, EventKind>;
