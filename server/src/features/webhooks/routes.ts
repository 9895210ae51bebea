// /projects/{id}/webhooks: create (secret shown once), list, read, change, rotate the secret, ping, delete.

import { z } from 'zod';
import { projectOf } from '../../access/caller.ts';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { nothing, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { changeWebhook, deleteWebhook, rotateSecret, secretRotation, webhookChange } from './change.ts';
import { createWebhook, newWebhook } from './create.ts';
import { ping } from './deliveries.ts';
import { deliverySchema } from './delivery.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { pageOfWebhooks, selectWebhook } from './store.ts';
import { newWebhookSchema, showWebhook, webhookSchema } from './webhook.ts';

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
        body: newWebhook,
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
    async (request) => {
      const page = await pageOfWebhooks(app.database, projectOf(request.caller).id, request.query);
      return { ...page, data: page.data.map((row) => showWebhook(row, app.now())) };
    },
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
    async (request) => {
      const row = await selectWebhook(app.database, projectOf(request.caller).id, request.params.webhook_id);
      if (!row) throw refuse.notFound();
      return showWebhook(row, app.now());
    },
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
        body: webhookChange,
        response: responsesToBody({ 200: webhookSchema }),
      },
    },
    (request) =>
      changeWebhook(withRequestOrigin(app, request), request.caller, request.params.webhook_id, request.body),
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
        response: responses({ 204: nothing }),
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
    (request, reply) => create(app, request, reply, (app) => ping(app, request.caller, request.params.webhook_id)),
  );
}
