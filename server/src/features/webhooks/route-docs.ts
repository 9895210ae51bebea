// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  createWebhook: {
    summary: 'Create a webhook; its secret is shown this once',
    description:
      'From now on the events that `events` selects are sent to the URL as signed POST requests. Answers with the secret that signs them, which cannot be shown again. A project has at most 50 webhooks. Events of API keys and member sessions need the permission `admin`. `headers` are sent with every delivery, for a gateway in front of your receiver; they are stored encrypted, and answers have only `header_names`.',
  },
  listWebhooks: {
    summary: 'List the webhooks, newest first',
    description: 'All webhooks of the project, without their secrets.',
  },
  getWebhook: {
    summary: 'Read a webhook',
    description:
      'One webhook with its URL, its events, and whether it is failing or was switched off. Its secret is not shown.',
  },
  updateWebhook: {
    summary: 'Change a webhook, switch it off or on',
    description:
      'Fields that are left out stay as they are. `headers` replaces all of them; `{}` removes them. They must be given again when the origin of `url` changes, because they would be sent there. Nothing is sent to a webhook that is switched off; what it missed can be sent with `recover` once it is on again. Switching it on clears `disabled_reason` and `failing_since`.',
  },
  deleteWebhook: {
    summary: 'Delete a webhook and its delivery log',
    description:
      'Nothing is sent to it any more, also no delivery that is waiting for its next attempt. Its log of deliveries is deleted. The events themselves stay.',
  },
  rotateWebhookSecret: {
    summary: 'Make a new secret, shown this once; the old one signs too during the overlap',
    description:
      'Every request is signed with both secrets until the overlap ends, one day by default, so that the receiver can change over at any moment in between. With `overlap_seconds` 0 only the new secret signs.',
  },
  pingWebhook: {
    summary: 'Send a ping, also to a webhook that is not enabled yet',
    description:
      'Queues an event of the type `ping` for this webhook only, to try the URL and the signature. Answers with the delivery; read it again to see the result of its attempts.',
  },
  sendTestEvent: {
    summary: 'Send the example of an event type, also to a webhook that is not enabled yet',
    description:
      'Queues the example of this type, as `GET /projects/{id}/event-types` shows it, for this webhook only, whatever its `events` are. Every attempt has the header `x-webhook-test: true`, which is never sent with an event that happened, and the event and the delivery have `is_test`. Types of API keys and member sessions need the permission `admin`.',
  },
  listDeliveries: {
    summary: 'List what was sent to a webhook, newest first',
    description:
      'One delivery for each event, with its status, its number of attempts and how the last one ended. `status`, `event_type`, `event_id`, `from` and `to` select some of them.',
  },
  getDelivery: {
    summary: 'Read a delivery with every attempt',
    description:
      'What was sent, and for each attempt the status, the headers, the beginning of the answer and the time of the next. `request_body`, `response_headers` and `response_body` are null for a key that may not read such an event.',
  },
  redeliver: {
    summary: 'Send it again, with the same id and the whole retry schedule',
    description:
      'Starts the delivery anew, whatever its status is. The receiver gets the same `webhook-id`, so it can recognise a repetition. Refused while the webhook is off or an attempt is under way.',
  },
  recoverDeliveries: {
    summary: 'Send again all that failed since a time, and what happened while the webhook was off',
    description:
      'Restarts the failed deliveries of events since `since`, and creates deliveries for events that were recorded while the webhook was disabled. Up to 10,000 of each at once: while `has_more` is true, call it again. Refused while the webhook is off.',
  },
});
