// /projects/{id}/webhooks: create, list, read, update, delete, rotate the secret, ping, send a test event; and
// …/{id}/deliveries: list, read, redeliver, recover.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { delivery, deliveryQuery, deliveryWithAttempts } from './delivery.ts';
import { pingEvents, webhookEvents } from './events.ts';
import {
  newWebhook,
  webhook,
  webhookChange,
  webhookRecovered,
  webhookRecovery,
  webhookRequest,
  webhookSecretRotation,
  webhookTestEvent,
} from './webhook.ts';

const tag = 'Webhooks';

export const webhookRoutes = defineRoutes({
  createWebhook: {
    method: 'POST',
    path: '/projects/:project_id/webhooks',
    access: 'webhook',
    tag,
    summary: 'Create a webhook; its secret is shown this once',
    description:
      'From now on the events that `events` selects are sent to the URL as signed POST requests. Returns the secret that signs them, which cannot be shown again. A project has at most 50 webhooks. Events of API keys and member sessions need the permission `admin`. `headers` are sent with every delivery, for a gateway in front of your receiver; they are stored encrypted, and answers have only `header_names`.',
    body: webhookRequest,
    answer: newWebhook,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listWebhooks: {
    method: 'GET',
    path: '/projects/:project_id/webhooks',
    access: 'read',
    tag,
    summary: 'List the webhooks, newest first',
    description: 'All webhooks of the project, without their secrets.',
    query: pageQuery,
    answer: pageOf(webhook),
  },
  getWebhook: {
    method: 'GET',
    path: '/projects/:project_id/webhooks/:webhook_id',
    access: 'read',
    tag,
    summary: 'Read a webhook',
    description:
      'One webhook with its URL, its events, and whether it is failing or was switched off. Its secret is not shown.',
    answer: webhook,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/projects/:project_id/webhooks/:webhook_id',
    access: 'webhook',
    tag,
    summary: 'Change a webhook, switch it off or on',
    description:
      'Fields that are left out stay as they are. `headers` replaces all of them; `{}` removes them. They must be given again when the origin of `url` changes, because they would be sent there. Nothing is sent to a webhook that is switched off; what it missed can be sent with `recover` once it is on again. Switching it on clears `disabled_reason` and `failing_since`.',
    body: webhookChange,
    answer: webhook,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/projects/:project_id/webhooks/:webhook_id',
    access: 'admin',
    tag,
    summary: 'Delete a webhook and its delivery log',
    description:
      'Nothing is sent to it any more, also no delivery that is waiting for its next attempt. Its log of deliveries is deleted. The events themselves stay.',
    answer: null,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/rotate-secret',
    access: 'webhook',
    tag,
    summary: 'Make a new secret, shown this once; the old one signs too during the overlap',
    description:
      'Every request is signed with both secrets until the overlap ends, one day by default, so that the receiver can change over at any moment in between. With `overlap_seconds` 0 only the new secret signs.',
    body: webhookSecretRotation.optional(),
    answer: newWebhook,
    status: 201,
    takes_idempotency_key: true,
  },
  pingWebhook: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/ping',
    access: 'webhook',
    tag,
    summary: 'Send a ping, also to a webhook that is not enabled yet',
    description:
      'Queues an event of the type `ping` for this webhook only, to try the URL and the signature. Returns the delivery; read it again to see the result of its attempts.',
    answer: delivery,
    status: 201,
    takes_idempotency_key: true,
  },
  sendTestEvent: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/test-event',
    access: 'webhook',
    tag,
    summary: 'Send the example of an event type, also to a webhook that is not enabled yet',
    description:
      'Queues the example of this type, as `GET /projects/{id}/event-types` shows it, for this webhook only, whatever its `events` are. Every attempt has the header `x-webhook-test: true`, which is never sent with an event that happened, and the event and the delivery have `is_test`. Types of API keys and member sessions need the permission `admin`.',
    body: webhookTestEvent,
    answer: delivery,
    status: 201,
    takes_idempotency_key: true,
  },
  listDeliveries: {
    method: 'GET',
    path: '/projects/:project_id/webhooks/:webhook_id/deliveries',
    access: 'read',
    tag,
    summary: 'List what was sent to a webhook, newest first',
    description:
      'One delivery for each event, with its status, its number of attempts and how the last one ended. `status`, `event_type`, `event_id`, `from` and `to` select some of them.',
    query: deliveryQuery,
    answer: pageOf(delivery),
  },
  getDelivery: {
    method: 'GET',
    path: '/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id',
    access: 'read',
    tag,
    summary: 'Read a delivery with every attempt',
    description:
      'What was sent, and for each attempt the status, the headers, the beginning of the response and the time of the next. `request_body`, `response_headers` and `response_body` are null for a key that may not read such an event.',
    answer: deliveryWithAttempts,
  },
  redeliver: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    access: 'webhook',
    tag,
    summary: 'Send it again, with the same id and the whole retry schedule',
    description:
      'Starts the delivery again, whatever its status is. The receiver gets the same `webhook-id`, so it can recognize a repetition. Refused while the webhook is off or an attempt is under way.',
    answer: delivery,
    errors: ['webhookDisabled', 'deliveryUnderWay'],
  },
  recoverDeliveries: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/recover',
    access: 'webhook',
    tag,
    summary: 'Send again all that failed since a time, and what happened while the webhook was off',
    description:
      'Restarts the failed deliveries of events since `since`, and creates deliveries for events that were recorded while the webhook was disabled. Up to 10,000 of each at once: while `has_more` is true, call it again. Refused while the webhook is off.',
    body: webhookRecovery,
    answer: webhookRecovered,
    errors: ['webhookDisabled'],
  },
});

export const webhooks = defineResource({
  chapters: { Webhooks: 'Receivers of events, and their deliveries' },
  routes: webhookRoutes,
  events: { ...webhookEvents, ...pingEvents },
});
