// /projects/{id}/oauth-providers: create, list, read, update, delete, test.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { checkProvider, providerReport } from './check.ts';
import { createProvider, newProvider } from './create.ts';
import { deleteProvider } from './delete.ts';
import { getProvider } from './get.ts';
import { listProviders } from './list.ts';
import { providerSchema } from './provider.ts';
import { docs } from './route-docs.ts';
import { providerChange, updateProvider } from './update.ts';

const tags = ['OAuth providers'];
const providers = '/api/v1/projects/:project_id/oauth-providers';
const providerParams = projectParams.extend({
  oauth_provider_id: z.string().meta({ description: 'Id of the OAuth provider' }),
});

export function oauthProviderRoutes(server: Server, app: App): void {
  server.post(
    providers,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.createOAuthProvider,
        tags,
        params: projectParams,
        headers: idempotencyHeaders,
        body: newProvider,
        response: responsesToCreate({ 201: providerSchema }, 'limitReached'),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createProvider(app, request.caller, request.body)),
  );
  server.get(
    providers,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listOAuthProviders,
        tags,
        params: projectParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(providerSchema) }, 'validation'),
      },
    },
    (request) => listProviders(app, request.caller, request.query),
  );
  server.get(
    `${providers}/:oauth_provider_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getOAuthProvider,
        tags,
        params: providerParams,
        response: responses({ 200: providerSchema }),
      },
    },
    (request) => getProvider(app, request.caller, request.params.oauth_provider_id),
  );
  changeRoutes(server, app);
}

function changeRoutes(server: Server, app: App): void {
  server.patch(
    `${providers}/:oauth_provider_id`,
    {
      config: { access: 'webhook' },
      schema: {
        ...docs.updateOAuthProvider,
        tags,
        params: providerParams,
        body: providerChange,
        response: responsesToBody({ 200: providerSchema }),
      },
    },
    (request) =>
      updateProvider(withRequestOrigin(app, request), request.caller, request.params.oauth_provider_id, request.body),
  );
  server.delete(
    `${providers}/:oauth_provider_id`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteOAuthProvider,
        tags,
        params: providerParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      await deleteProvider(withRequestOrigin(app, request), request.caller, request.params.oauth_provider_id);
      return reply.code(204).send();
    },
  );
  server.post(
    `${providers}/:oauth_provider_id/test`,
    {
      // It waits for the provider, and takes permits only where it reads the database.
      config: { access: 'webhook', database_permit: false },
      schema: {
        ...docs.testOAuthProvider,
        tags,
        params: providerParams,
        response: responses({ 200: providerReport }),
      },
    },
    (request) => checkProvider(app, request.caller, request.params.oauth_provider_id),
  );
}
