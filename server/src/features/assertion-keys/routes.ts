// /assertion-keys: register, list, read, deactivate, delete, and the report on an assertion that does not work.

import { z } from 'zod';
import { projectOf } from '../../access/caller.ts';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { nothing, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { assertionKeySchema, showAssertionKey } from './assertion-key.ts';
import { assertionReport, assertionToDebug, debugAssertion } from './debug.ts';
import { deactivateAssertionKey, deleteAssertionKey } from './end.ts';
import { newAssertionKey, registerAssertionKey } from './register.ts';
import { pageOfAssertionKeys, selectAssertionKey } from './store.ts';

const tags = ['Assertion keys'];
const keys = '/api/v1/assertion-keys';
const keyParams = z.strictObject({ assertion_key_id: z.string().meta({ description: 'Id of the assertion key' }) });

export function assertionKeyRoutes(server: Server, app: App): void {
  server.post(
    keys,
    {
      config: { access: 'write' },
      schema: {
        operationId: 'registerAssertionKey',
        summary: 'Register the public key that member assertions are verified with',
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
        operationId: 'listAssertionKeys',
        summary: 'List the assertion keys, newest first',
        tags,
        querystring: pageQuery,
        response: responses({ 200: pageOf(assertionKeySchema) }, 'validation'),
      },
    },
    async (request) => {
      const page = await pageOfAssertionKeys(app.database, projectOf(request.caller).id, request.query);
      return { ...page, data: page.data.map(showAssertionKey) };
    },
  );
  server.post(
    `${keys}/debug`,
    {
      config: { access: 'write' },
      schema: {
        operationId: 'debugAssertion',
        summary: 'Explain an assertion: every rule with pass or fail, and how to mend it',
        description: 'Issues no token, makes no member and uses up no `jti`.',
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
        operationId: 'getAssertionKey',
        summary: 'Read an assertion key',
        tags,
        params: keyParams,
        response: responses({ 200: assertionKeySchema }),
      },
    },
    async (request) => {
      const row = await selectAssertionKey(app.database, projectOf(request.caller).id, request.params.assertion_key_id);
      if (!row) throw refuse.notFound();
      return showAssertionKey(row);
    },
  );
  server.post(
    `${keys}/:assertion_key_id/deactivate`,
    {
      config: { access: 'write' },
      schema: {
        operationId: 'deactivateAssertionKey',
        summary: 'Deactivate an assertion key; its sessions end and its kid is free again',
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
        operationId: 'deleteAssertionKey',
        summary: 'Delete an assertion key; its sessions end',
        tags,
        params: keyParams,
        response: responses({ 204: nothing }),
      },
    },
    async (request, reply) => {
      await deleteAssertionKey(withRequestOrigin(app, request), request.caller, request.params.assertion_key_id);
      return reply.code(204).send();
    },
  );
}
