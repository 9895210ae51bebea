// /projects/{id}/api-keys: create (secret shown once), list, read, update, rotate, revoke, delete.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { apiKeySchema, newApiKeySchema } from './api-key.ts';
import { createKey, newKey } from './create.ts';
import { deleteKey } from './delete.ts';
import { getKey } from './get.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { rotateKey, rotation } from './rotate.ts';
import { docs } from './route-docs.ts';
import { keyChange, updateKey } from './update.ts';

const tags = ['API keys'];
const keys = '/api/v1/projects/:project_id/api-keys';
const keyParams = projectParams.extend({ api_key_id: z.string().meta({ description: 'Id of the key' }) });
const config = { access: 'admin' } as const;

export function apiKeyRoutes(server: Server, app: App): void {
  server.post(
    keys,
    {
      config,
      schema: {
        ...docs.createApiKey,
        tags,
        params: projectParams,
        headers: idempotencyHeaders,
        body: newKey,
        response: responsesToCreate({ 201: newApiKeySchema }, 'notFound', 'limitReached'),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createKey(app, request.caller, request.body)),
  );
  server.get(
    keys,
    {
      config,
      schema: {
        ...docs.listApiKeys,
        tags,
        params: projectParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(apiKeySchema) }, 'notFound', 'validation'),
      },
    },
    (request) => listKeys(app, request.caller, {}, request.query),
  );
  server.get(
    `${keys}/:api_key_id`,
    {
      config,
      schema: {
        ...docs.getApiKey,
        tags,
        params: keyParams,
        response: responses({ 200: apiKeySchema }, 'notFound'),
      },
    },
    (request) => getKey(app, request.caller, request.params.api_key_id),
  );
  lifecycleRoutes(server, app);
}

function lifecycleRoutes(server: Server, app: App): void {
  server.patch(
    `${keys}/:api_key_id`,
    {
      config,
      schema: {
        ...docs.updateApiKey,
        tags,
        params: keyParams,
        body: keyChange,
        response: responsesToBody({ 200: apiKeySchema }, 'notFound', 'keyNotActive'),
      },
    },
    (request) => updateKey(withRequestOrigin(app, request), request.caller, request.params.api_key_id, request.body),
  );
  server.post(
    `${keys}/:api_key_id/rotate`,
    {
      config,
      schema: {
        ...docs.rotateApiKey,
        tags,
        params: keyParams,
        headers: idempotencyHeaders,
        body: rotation.optional(),
        response: responsesToCreate({ 201: newApiKeySchema }, 'notFound', 'keyNotActive', 'keyRotated', 'limitReached'),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) =>
        rotateKey(app, request.caller, request.params.api_key_id, request.body ?? { overlap_seconds: 0 }),
      ),
  );
  server.post(
    `${keys}/:api_key_id/revoke`,
    {
      config,
      schema: {
        ...docs.revokeApiKey,
        tags,
        params: keyParams,
        response: responses({ 200: apiKeySchema }, 'notFound'),
      },
    },
    (request) => revokeKey(withRequestOrigin(app, request), request.caller, request.params.api_key_id),
  );
  server.delete(
    `${keys}/:api_key_id`,
    {
      config,
      schema: {
        ...docs.deleteApiKey,
        tags,
        params: keyParams,
        response: responses({ 204: noContent }, 'notFound'),
      },
    },
    async (request, reply) => {
      await deleteKey(withRequestOrigin(app, request), request.caller, request.params.api_key_id);
      return reply.code(204).send();
    },
  );
}
