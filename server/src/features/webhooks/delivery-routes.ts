// …/webhooks/{id}/deliveries: list, read, redeliver; and …/recover.

import { z } from 'zod';
import { pageOf, pageQuery, projectParams, timestampInput } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { responses, responsesToBody } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { deliverySchema, deliveryStatus, deliveryWithAttempts } from './delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { readDelivery } from './read-delivery.ts';
import { recoverDeliveries, recovered, recovery } from './recover.ts';
import { redeliver } from './redeliver.ts';
import { docs } from './route-docs.ts';

const tags = ['Webhooks'];
const webhook = '/api/v1/projects/:project_id/webhooks/:webhook_id';
const webhookParams = projectParams.extend({ webhook_id: z.string().meta({ description: 'Id of the webhook' }) });
const deliveryParams = webhookParams.extend({ delivery_id: z.string().meta({ description: 'Id of the delivery' }) });

const deliveryQuery = pageQuery.extend({
  status: deliveryStatus.optional().meta({ description: 'Only deliveries with this status' }),
  event_type: z.string().max(64).optional().meta({ description: 'Only this kind', example: 'api_key.created' }),
  event_id: z.string().max(64).optional().meta({ description: 'Only this event' }),
  from: timestampInput.optional().meta({ description: 'Only deliveries of events since then' }),
  to: timestampInput.optional().meta({ description: 'Only deliveries of events before then' }),
});

export function deliveryRoutes(server: Server, app: App): void {
  server.get(
    `${webhook}/deliveries`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listDeliveries,
        tags,
        params: webhookParams,
        querystring: deliveryQuery,
        response: responses({ 200: pageOf(deliverySchema) }, 'validation'),
      },
    },
    (request) => listDeliveries(app, request.caller, request.params.webhook_id, request.query),
  );
  server.get(
    `${webhook}/deliveries/:delivery_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getDelivery,
        tags,
        params: deliveryParams,
        response: responses({ 200: deliveryWithAttempts }),
      },
    },
    (request) => readDelivery(app, request.caller, request.params.webhook_id, request.params.delivery_id),
  );
  server.post(
    `${webhook}/deliveries/:delivery_id/redeliver`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.redeliver,
        tags,
        params: deliveryParams,
        response: responses({ 200: deliverySchema }, 'webhookDisabled', 'deliveryUnderWay'),
      },
    },
    (request) =>
      redeliver(withRequestOrigin(app, request), request.caller, request.params.webhook_id, request.params.delivery_id),
  );
  server.post(
    `${webhook}/recover`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.recoverDeliveries,
        tags,
        params: webhookParams,
        body: recovery,
        response: responsesToBody({ 200: recovered }, 'webhookDisabled'),
      },
    },
    (request) =>
      recoverDeliveries(withRequestOrigin(app, request), request.caller, request.params.webhook_id, request.body),
  );
}
