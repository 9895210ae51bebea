// The `webhooks` section of the API document, from the catalogue of events.

import { type EventTypeName, eventTypes } from '@toolgate/contract/events/rules.ts';
import { timestamp } from '@toolgate/contract/fields.ts';
import { eventKinds } from '@toolgate/contract/resources.ts';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';

type Document = { webhooks?: object; components: { schemas?: Record<string, unknown> } };

const headers = z.strictObject({
  'webhook-id': z.string().meta({ description: 'Id of the event, the same for every attempt' }),
  'webhook-timestamp': z.string().meta({ description: 'When this attempt was made, in seconds since 1970' }),
  'webhook-signature': z
    .string()
    .meta({ description: 'Standard Webhooks: `v1,<base64>`, two signatures during a rotation' }),
  'x-webhook-signature': z.string().meta({ description: 'Hex HMAC-SHA256 of the raw body with the whole secret' }),
  'x-webhook-test': z
    .literal('true')
    .optional()
    .meta({ description: 'Only if the event tests the webhook: nothing happened, and the body is an example' }),
  'x-webhook-signature-previous': z.string().optional().meta({ description: 'The same with the previous secret' }),
});

/** Adds a webhook for each event type. Schemas that routes use too are defined once. */
export function addWebhooks<D extends Document>(document: D): D {
  const { webhooks = {}, components } = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: describe(type) }])),
  });
  document.webhooks = webhooks;
  document.components.schemas = { ...components?.schemas, ...document.components.schemas };
  return document;
}

function describe(type: EventTypeName) {
  const { description, data, example } = eventKinds[type];
  const payload = z.strictObject({
    id: z.string().meta({ description: 'Id of the event, the same for every attempt' }),
    type: z.literal(type).meta({ description: 'What happened' }),
    timestamp: timestamp.meta({ description: 'When it happened' }),
    project_id: z.string(),
    data,
  });
  return {
    operationId: `on ${type}`.replaceAll(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: description,
    tags: ['Webhooks'],
    security: [],
    requestParams: { header: headers },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: payload, example: examplePayload(type, example) } },
    },
    responses: {
      '2XX': { description: 'Received. Any other response, or none within 15 seconds, is tried again' },
      '410': { description: 'No longer wanted: the webhook is disabled' },
    },
  };
}

export const examplePayload = (type: string, data: object) => ({
  id: 'evt_3kWm8nQzXv5tRb1YcL7pHd',
  type,
  timestamp: '2026-11-15T12:00:00.000Z',
  project_id: 'prj_4fTq0cDkXv8mWn2ZbR6yLs',
  data,
});
