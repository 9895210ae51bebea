// /projects/{id}/webhooks: create, list, read, update, delete, rotate the secret, ping, send a test event.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { createWebhook, newWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { deliverySchema } from './delivery.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { listWebhooks } from './list.ts';
import { pingWebhook } from './ping.ts';
import { readWebhook } from './read.ts';
import { rotateSecret, secretRotation } from './rotate-secret.ts';
import { docs } from './route-docs.ts';
import { sendTestEvent, testEvent } from './send-test-event.ts';
import { updateWebhook, webhookChange } from './update.ts';
import { newWebhookSchema, webhookSchema } from './webhook.ts';

const tags = ['Webhooks'];
const webhooks = '/api/v1/projects/:project_id/webhooks';
const webhookParams = projectParams.extend({
  webhook_id: z.string().meta({ description: 'Id of the webhook' }),
});

export function webhookRoutes(server: Server, app: App): void {
  server.post(
    webhooks,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.createWebhook,
        tags,
        params: projectParams,
        headers: idempotencyHeaders,
        body: newWebhook(app.event_catalogue),
        response: responsesToCreate({ 201: newWebhookSchema }, 'limitReached'),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createWebhook(app, request.caller, request.body)),
  );
  server.get(
    webhooks,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listWebhooks,
        tags,
        params: projectParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(webhookSchema) }, 'validation'),
      },
    },
    (request) => listWebhooks(app, request.caller, request.query),
  );
  server.get(
    `${webhooks}/:webhook_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getWebhook,
        tags,
        params: webhookParams,
        response: responses({ 200: webhookSchema }),
      },
    },
    (request) => readWebhook(app, request.caller, request.params.webhook_id),
  );
  changeRoutes(server, app);
  actionRoutes(server, app);
  deliveryRoutes(server, app);
}

function changeRoutes(server: Server, app: App): void {
  server.patch(
    `${webhooks}/:webhook_id`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.updateWebhook,
        tags,
        params: webhookParams,
        body: webhookChange(app.event_catalogue),
        response: responsesToBody({ 200: webhookSchema }),
      },
    },
    (request) =>
      updateWebhook(withRequestOrigin(app, request), request.caller, request.params.webhook_id, request.body),
  );
  server.delete(
    `${webhooks}/:webhook_id`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteWebhook,
        tags,
        params: webhookParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      await deleteWebhook(withRequestOrigin(app, request), request.caller, request.params.webhook_id);
      return reply.code(204).send();
    },
  );
}

function actionRoutes(server: Server, app: App): void {
  server.post(
    `${webhooks}/:webhook_id/rotate-secret`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.rotateWebhookSecret,
        tags,
        params: webhookParams,
        headers: idempotencyHeaders,
        body: secretRotation.optional(),
        response: responsesToCreate({ 201: newWebhookSchema }),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) =>
        rotateSecret(app, request.caller, request.params.webhook_id, request.body ?? secretRotation.parse({})),
      ),
  );
  server.post(
    `${webhooks}/:webhook_id/ping`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.pingWebhook,
        tags,
        params: webhookParams,
        headers: idempotencyHeaders,
        response: responsesToCreate({ 201: deliverySchema }),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) => pingWebhook(app, request.caller, request.params.webhook_id)),
  );
  server.post(
    `${webhooks}/:webhook_id/test-event`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.sendTestEvent,
        tags,
        params: webhookParams,
        headers: idempotencyHeaders,
        body: testEvent(app.event_catalogue),
        response: responsesToCreate({ 201: deliverySchema }),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) => sendTestEvent(app, request.caller, request.params.webhook_id, request.body)),
  );
}
