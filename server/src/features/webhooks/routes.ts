// /projects/{id}/webhooks: create, list, read, update, delete, rotate the secret, ping.

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
        operationId: 'createWebhook',
        summary: 'Create a webhook; its secret is shown this once',
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
        operationId: 'listWebhooks',
        summary: 'List the webhooks, newest first',
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
        operationId: 'getWebhook',
        summary: 'Read a webhook',
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
        operationId: 'updateWebhook',
        summary: 'Change a webhook, switch it off or on',
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
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook and its delivery log',
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
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new secret, shown this once; the old one signs too during the overlap',
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
        operationId: 'pingWebhook',
        summary: 'Send a ping, also to a webhook that is not enabled yet',
        tags,
        params: webhookParams,
        headers: idempotencyHeaders,
        response: responsesToCreate({ 201: deliverySchema }),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) => pingWebhook(app, request.caller, request.params.webhook_id)),
  );
}
