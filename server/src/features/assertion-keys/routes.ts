// /assertion-keys: register, list, read, deactivate, delete, and the debug report on an assertion.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { assertionKeySchema } from './assertion-key.ts';
import { deactivateAssertionKey } from './deactivate.ts';
import { assertionReport, assertionToDebug, debugAssertion } from './debug.ts';
import { deleteAssertionKey } from './delete.ts';
import { getAssertionKey } from './get.ts';
import { listAssertionKeys } from './list.ts';
import { newAssertionKey, registerAssertionKey } from './register.ts';
import { docs } from './route-docs.ts';

const tags = ['Assertion keys'];
const keys = '/api/v1/assertion-keys';
const keyParams = z.strictObject({ assertion_key_id: z.string().meta({ description: 'Id of the assertion key' }) });

export function assertionKeyRoutes(server: Server, app: App): void {
  server.post(
    keys,
    {
      config: { access: 'write' },
      schema: {
        ...docs.registerAssertionKey,
        tags,
        headers: idempotencyHeaders,
        body: newAssertionKey,
        response: responsesToCreate(
          { 201: assertionKeySchema },
          'unsupportedAlgorithm',
          'invalidPublicKey',
          'kidTaken',
          'limitReached',
        ),
      },
    },
    (request, reply) => create(app, request, reply, (app) => registerAssertionKey(app, request.caller, request.body)),
  );
  server.get(
    keys,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listAssertionKeys,
        tags,
        querystring: pageQuery,
        response: responses({ 200: pageOf(assertionKeySchema) }, 'validation'),
      },
    },
    (request) => listAssertionKeys(app, request.caller, request.query),
  );
  server.post(
    `${keys}/debug`,
    {
      config: { access: 'write' },
      schema: {
        ...docs.debugAssertion,
        tags,
        body: assertionToDebug.optional(),
        response: responsesToBody({ 200: assertionReport }),
      },
    },
    (request) => debugAssertion(app, request.caller, request.body ?? {}),
  );
  oneKeyRoutes(server, app);
}

function oneKeyRoutes(server: Server, app: App): void {
  server.get(
    `${keys}/:assertion_key_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getAssertionKey,
        tags,
        params: keyParams,
        response: responses({ 200: assertionKeySchema }),
      },
    },
    (request) => getAssertionKey(app, request.caller, request.params.assertion_key_id),
  );
  server.post(
    `${keys}/:assertion_key_id/deactivate`,
    {
      config: { access: 'write' },
      schema: {
        ...docs.deactivateAssertionKey,
        tags,
        params: keyParams,
        response: responses({ 200: assertionKeySchema }),
      },
    },
    (request) =>
      deactivateAssertionKey(withRequestOrigin(app, request), request.caller, request.params.assertion_key_id),
  );
  server.delete(
    `${keys}/:assertion_key_id`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteAssertionKey,
        tags,
        params: keyParams,
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      await deleteAssertionKey(withRequestOrigin(app, request), request.caller, request.params.assertion_key_id);
      return reply.code(204).send();
    },
  );
}
