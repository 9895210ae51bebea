// /projects/{id}/oauth-clients: create, list, read, update, rotate the secret, delete.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { clientSchema, newClientSchema } from './client.ts';
import { createClient, newClient } from './create.ts';
import { deleteClient } from './delete.ts';
import { getClient } from './get.ts';
import { listClients } from './list.ts';
import { rotateSecret, secretRotation } from './rotate-secret.ts';
import { docs } from './route-docs.ts';
import { clientChange, updateClient } from './update.ts';

const tags = ['OAuth clients'];
const clients = '/api/v1/projects/:project_id/oauth-clients';
const clientParams = projectParams.extend({
  oauth_client_id: z.string().meta({ description: 'Id of the OAuth client' }),
});

export function oauthClientRoutes(server: Server, app: App): void {
  server.post(
    clients,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.createOAuthClient,
        tags,
        params: projectParams,
        headers: idempotencyHeaders,
        body: newClient,
        response: responsesToCreate({ 201: newClientSchema }, 'limitReached'),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createClient(app, request.caller, request.body)),
  );
  server.get(
    clients,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listOAuthClients,
        tags,
        params: projectParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(clientSchema) }, 'validation'),
      },
    },
    (request) => listClients(app, request.caller, request.query),
  );
  server.get(
    `${clients}/:oauth_client_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getOAuthClient,
        tags,
        params: clientParams,
        response: responses({ 200: clientSchema }),
      },
    },
    (request) => getClient(app, request.caller, request.params.oauth_client_id),
  );
  changeRoutes(server, app);
}

function changeRoutes(server: Server, app: App): void {
  server.patch(
    `${clients}/:oauth_client_id`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.updateOAuthClient,
        tags,
        params: clientParams,
        body: clientChange,
        response: responsesToBody({ 200: clientSchema }),
      },
    },
    (request) =>
      updateClient(withRequestOrigin(app, request), request.caller, request.params.oauth_client_id, request.body),
  );
  server.post(
    `${clients}/:oauth_client_id/rotate-secret`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.rotateOAuthClientSecret,
        tags,
        params: clientParams,
        headers: idempotencyHeaders,
        body: secretRotation.optional(),
        response: responsesToCreate({ 201: newClientSchema }),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) =>
        rotateSecret(app, request.caller, request.params.oauth_client_id, request.body ?? secretRotation.parse({})),
      ),
  );
  server.delete(
    `${clients}/:oauth_client_id`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteOAuthClient,
        tags,
        params: clientParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      await deleteClient(withRequestOrigin(app, request), request.caller, request.params.oauth_client_id);
      return reply.code(204).send();
    },
  );
}
