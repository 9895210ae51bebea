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
    summary: 'Create a webhook; its secret is shown only once',
    description:
      'From now on, events that match `events` are sent to the URL as signed POST requests. Returns the secret that signs them, which cannot be shown again. A project can have at most 50 webhooks. Events about API keys and member sessions require the permission `admin`. `headers` are sent with every delivery, for a gateway in front of your receiver; they are stored encrypted, and responses include only `header_names`.',
    body: webhookRequest,
    response: newWebhook,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listWebhooks: {
    method: 'GET',
    path: '/projects/:project_id/webhooks',
    access: 'read',
    tag,
    summary: 'List webhooks, newest first',
    description: 'All webhooks of the project, without their secrets.',
    query: pageQuery,
    response: pageOf(webhook),
  },
  getWebhook: {
    method: 'GET',
    path: '/projects/:project_id/webhooks/:webhook_id',
    access: 'read',
    tag,
    summary: 'Get a webhook',
    description:
      'One webhook with its URL, its events, and whether it is failing or was disabled. Its secret is not shown.',
    response: webhook,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/projects/:project_id/webhooks/:webhook_id',
    access: 'webhook',
    tag,
    summary: 'Update, disable or enable a webhook',
    description:
      'Fields you leave out stay unchanged. `headers` replaces all headers; `{}` removes them. If the origin of `url` changes, you must send the headers again, because they would be sent there. Nothing is sent to a disabled webhook; after you enable it again, `recover` sends the events it missed. Enabling it clears `disabled_reason` and `failing_since`.',
    body: webhookChange,
    response: webhook,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/projects/:project_id/webhooks/:webhook_id',
    access: 'admin',
    tag,
    summary: 'Delete a webhook and its delivery log',
    description:
      'Nothing more is sent to it, not even deliveries that wait for their next attempt. Its delivery log is deleted. The events themselves stay.',
    response: null,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/rotate-secret',
    access: 'webhook',
    tag,
    summary: 'Create a new secret, shown only once; the old one also signs during the overlap',
    description:
      'Until the overlap ends, one day by default, every request is signed with both secrets, so that the receiver can switch at any time. If `overlap_seconds` is 0, only the new secret signs.',
    body: webhookSecretRotation.optional(),
    response: newWebhook,
    status: 201,
    takes_idempotency_key: true,
  },
  pingWebhook: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/ping',
    access: 'webhook',
    tag,
    summary: 'Send a ping, even to a disabled webhook',
    description:
      'Queues an event of type `ping` for this webhook only, to test the URL and the signature. Returns the delivery; read it again to see the result of its attempts.',
    response: delivery,
    status: 201,
    takes_idempotency_key: true,
  },
  sendTestEvent: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/test-event',
    access: 'webhook',
    tag,
    summary: 'Send an example of an event type, even to a disabled webhook',
    description:
      'Queues the example that `GET /projects/{id}/event-types` shows for this type, for this webhook only, regardless of its `events`. Every attempt has the header `x-webhook-test: true`, which real events never have, and the event and the delivery have `is_test`. Types about API keys and member sessions require the permission `admin`.',
    body: webhookTestEvent,
    response: delivery,
    status: 201,
    takes_idempotency_key: true,
  },
  listDeliveries: {
    method: 'GET',
    path: '/projects/:project_id/webhooks/:webhook_id/deliveries',
    access: 'read',
    tag,
    summary: "List a webhook's deliveries, newest first",
    description:
      'One delivery per event, with its status, number of attempts and latest result. Filter with `status`, `event_type`, `event_id`, `from` and `to`.',
    query: deliveryQuery,
    response: pageOf(delivery),
  },
  getDelivery: {
    method: 'GET',
    path: '/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id',
    access: 'read',
    tag,
    summary: 'Get a delivery with all its attempts',
    description:
      'The request that was sent, and for each attempt its status, headers, the beginning of the response and the time of the next attempt. `request_body`, `response_headers` and `response_body` are null if the key cannot read such events.',
    response: deliveryWithAttempts,
  },
  redeliver: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    access: 'webhook',
    tag,
    summary: 'Send a delivery again, with the same id and the full retry schedule',
    description:
      'Restarts the delivery, whatever its status is. The receiver gets the same `webhook-id`, so that it can recognize a duplicate. Refused while the webhook is disabled or an attempt is in progress.',
    response: delivery,
    errors: ['webhookDisabled', 'deliveryUnderWay'],
  },
  recoverDeliveries: {
    method: 'POST',
    path: '/projects/:project_id/webhooks/:webhook_id/recover',
    access: 'webhook',
    tag,
    summary: 'Resend failed deliveries, and events missed while the webhook was disabled',
    description:
      'Restarts the failed deliveries of events since `since`, and creates deliveries for events that were recorded while the webhook was disabled. Each call handles up to 10,000 of each: while `has_more` is true, call it again. Refused while the webhook is disabled.',
    body: webhookRecovery,
    response: webhookRecovered,
    errors: ['webhookDisabled'],
  },
});

export const webhooks = defineResource({
  chapters: { Webhooks: 'Receivers of events, and their deliveries' },
  routes: webhookRoutes,
  events: { ...webhookEvents, ...pingEvents },
});
