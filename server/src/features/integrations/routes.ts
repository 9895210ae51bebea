// /projects/{id}/integrations: create, list, read, update, delete, and the keys created from one.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { apiKeySchema, newApiKeySchema } from '../api-keys/api-key.ts';
import { newKey } from '../api-keys/create.ts';
import { createIntegration, newIntegration } from './create.ts';
import { createIntegrationKey } from './create-key.ts';
import { deleteIntegration } from './delete.ts';
import { getIntegration } from './get.ts';
import { integrationSchema } from './integration.ts';
import { listIntegrationKeys, listIntegrations } from './list.ts';
import { docs } from './route-docs.ts';
import { integrationChange, updateIntegration } from './update.ts';

const tags = ['Integrations'];
const integrations = '/api/v1/projects/:project_id/integrations';
const integrationParams = projectParams.extend({
  integration_id: z.string().meta({ description: 'Id of the integration' }),
});

export function integrationRoutes(server: Server, app: App): void {
  server.post(
    integrations,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.createIntegration,
        tags,
        params: projectParams,
        headers: idempotencyHeaders,
        body: newIntegration,
        response: responsesToCreate({ 201: integrationSchema }, 'limitReached'),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createIntegration(app, request.caller, request.body)),
  );
  server.get(
    integrations,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listIntegrations,
        tags,
        params: projectParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(integrationSchema) }, 'validation'),
      },
    },
    (request) => listIntegrations(app, request.caller, request.query),
  );
  oneIntegrationRoutes(server, app);
  integrationKeyRoutes(server, app);
}

function oneIntegrationRoutes(server: Server, app: App): void {
  server.get(
    `${integrations}/:integration_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getIntegration,
        tags,
        params: integrationParams,
        response: responses({ 200: integrationSchema }),
      },
    },
    (request) => getIntegration(app, request.caller, request.params.integration_id),
  );
  server.patch(
    `${integrations}/:integration_id`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.updateIntegration,
        tags,
        params: integrationParams,
        body: integrationChange,
        response: responsesToBody({ 200: integrationSchema }),
      },
    },
    (request) =>
      updateIntegration(withRequestOrigin(app, request), request.caller, request.params.integration_id, request.body),
  );
  server.delete(
    `${integrations}/:integration_id`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteIntegration,
        tags,
        params: integrationParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      await deleteIntegration(withRequestOrigin(app, request), request.caller, request.params.integration_id);
      return reply.code(204).send();
    },
  );
}

/** Only creation and the list; every other operation on a key is under /projects/{id}/api-keys. */
function integrationKeyRoutes(server: Server, app: App): void {
  server.post(
    `${integrations}/:integration_id/api-keys`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.createIntegrationApiKey,
        tags,
        params: integrationParams,
        headers: idempotencyHeaders,
        body: newKey,
        response: responsesToCreate({ 201: newApiKeySchema }, 'limitReached'),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) =>
        createIntegrationKey(app, request.caller, request.params.integration_id, request.body),
      ),
  );
  server.get(
    `${integrations}/:integration_id/api-keys`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.listIntegrationApiKeys,
        tags,
        params: integrationParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(apiKeySchema) }, 'validation'),
      },
    },
    (request) => listIntegrationKeys(app, request.caller, request.params.integration_id, request.query),
  );
}
