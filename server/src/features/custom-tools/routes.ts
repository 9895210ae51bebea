// /custom-tools: register, list, read, update, enable, disable, delete and call tools; verify signatures; the encryption key.

import { z } from 'zod';
import { projectOf } from '../../access/caller.ts';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { booleanFilter, pageOf, pageQuery, text } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { checkNewTool, createTool } from './create.ts';
import { deleteTool } from './delete.ts';
import { executeTool, execution, executionResult } from './execute.ts';
import { explainSignature } from './explain-signature.ts';
import { getTool } from './get.ts';
import { importRoutes } from './import-routes.ts';
import { listTools } from './list.ts';
import { previewRequest, requestPreview } from './preview.ts';
import { docs } from './route-docs.ts';
import { setToolEnabled } from './set-enabled.ts';
import { receivedRequest, signatureCheck } from './signature-check.ts';
import { newTool, toolChange, toolSchema, toolVersionSchema } from './tool.ts';
import { updateTool } from './update.ts';
import { getVersion, listVersions } from './versions.ts';

const tags = ['Custom tools'];
const tools = '/api/v1/custom-tools';
const toolParams = z.strictObject({ tool_id: z.string().meta({ description: 'Id or name of the tool' }) });
/** Schemas are nested deeper than other bodies, and have more members. */
const json_limits = { max_depth: 100, max_members: 50_000 };

const toolQuery = pageQuery.extend({
  is_enabled: booleanFilter('Only enabled tools, or only disabled ones'),
  search: text(1, 128).optional().meta({ description: 'Text in the name, title or description' }),
});

export async function customToolRoutes(server: Server, app: App): Promise<void> {
  server.post(
    tools,
    {
      config: { access: 'write', json_limits },
      schema: {
        ...docs.createCustomTool,
        tags,
        headers: idempotencyHeaders,
        body: newTool,
        response: responsesToCreate({ 201: toolSchema }, ...definitionRefusals, 'nameTaken', 'limitReached'),
      },
    },
    async (request, reply) => {
      const checked = await checkNewTool(app, request.caller, request.body);
      return create(app, request, reply, (app) => createTool(app, request.caller, checked));
    },
  );
  server.get(
    tools,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listCustomTools,
        tags,
        querystring: toolQuery,
        response: responses({ 200: pageOf(toolSchema) }, 'validation'),
      },
    },
    ({ caller, query: { is_enabled, search, ...page } }) => listTools(app, caller, { is_enabled, search }, page),
  );
  oneToolRoutes(server, app);
  enableRoutes(server, app);
  versionRoutes(server, app);
  callRoutes(server, app);
  encryptionKeyRoute(server, app);
  bulkRoutes(server, app);
  await importRoutes(server, app);
}

const definitionRefusals = [
  'baseUrlNotHttps',
  'baseUrlNotOrigin',
  'endpointPathNotAbsolute',
  'authSecretRequired',
  'memberIdWithoutMember',
] as const;

function oneToolRoutes(server: Server, app: App): void {
  server.get(
    `${tools}/:tool_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getCustomTool,
        tags,
        params: toolParams,
        response: responses({ 200: toolSchema }, 'notFound'),
      },
    },
    (request) => getTool(app, request.caller, request.params.tool_id),
  );
  server.patch(
    `${tools}/:tool_id`,
    {
      config: { access: 'write', json_limits },
      schema: {
        ...docs.updateCustomTool,
        tags,
        params: toolParams,
        body: toolChange,
        response: responsesToBody({ 200: toolSchema }, 'notFound', ...definitionRefusals, 'nameTaken', 'limitReached'),
      },
    },
    (request) => updateTool(withRequestOrigin(app, request), request.caller, request.params.tool_id, request.body),
  );
  server.delete(
    `${tools}/:tool_id`,
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteCustomTool,
        tags,
        params: toolParams,
        response: responses({ 204: noContent }, 'notFound'),
      },
    },
    async (request, reply) => {
      await deleteTool(withRequestOrigin(app, request), request.caller, request.params.tool_id);
      return reply.code(204).send();
    },
  );
}

function enableRoutes(server: Server, app: App): void {
  for (const [verb, is_enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    server.post(
      `${tools}/:tool_id/${verb}`,
      {
        config: { access: 'write' },
        schema: {
          ...docs[`${verb}CustomTool`],
          tags,
          params: toolParams,
          response: responses({ 200: toolSchema }, 'notFound'),
        },
      },
      (request) => setToolEnabled(withRequestOrigin(app, request), request.caller, request.params.tool_id, is_enabled),
    );
  }
}

function versionRoutes(server: Server, app: App): void {
  server.get(
    `${tools}/:tool_id/versions`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listCustomToolVersions,
        tags,
        params: toolParams,
        querystring: pageQuery,
        response: responses({ 200: pageOf(toolVersionSchema) }, 'notFound', 'validation'),
      },
    },
    (request) => listVersions(app, request.caller, request.params.tool_id, request.query),
  );
  server.get(
    `${tools}/:tool_id/versions/:version`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getCustomToolVersion,
        tags,
        params: toolParams.extend({
          version: z
            .string()
            .regex(/^[1-9]\d{0,8}$/, 'must be a number')
            .transform(Number)
            .meta({ description: 'Number of the version', override: { type: 'integer', minimum: 1 } }),
        }),
        response: responses({ 200: toolVersionSchema }, 'notFound', 'validation'),
      },
    },
    (request) => getVersion(app, request.caller, request.params.tool_id, request.params.version),
  );
}

function callRoutes(server: Server, app: App): void {
  server.post(
    `${tools}/:tool_id/execute`,
    {
      config: { access: 'tool', database_permit: false },
      schema: {
        ...docs.executeCustomTool,
        tags,
        params: toolParams,
        headers: idempotencyHeaders,
        body: execution.optional(),
        response: responsesToCreate(
          { 200: executionResult },
          'notFound',
          'reservedVariable',
          'toolNotEnabled',
          'memberSignInRequired',
          'memberUnresolved',
          'externalIdDisabled',
          'memberContextRequired',
          'toolExecutionFailed',
          'toolTimedOut',
          'authSecretUnreadable',
          'upstreamStatus',
          'upstreamConnection',
        ),
      },
    },
    (request, reply) => executeTool(app, request, reply),
  );
  server.post(
    `${tools}/:tool_id/preview`,
    {
      config: { access: 'write', database_permit: false },
      schema: {
        ...docs.previewCustomTool,
        tags,
        params: toolParams,
        body: execution.optional(),
        response: responsesToBody({ 200: requestPreview }, 'notFound', 'memberUnresolved', 'externalIdDisabled'),
      },
    },
    (request) => previewRequest(app, request.caller, request.params.tool_id, request.body),
  );
  server.post(
    `${tools}/:tool_id/verify-signature`,
    {
      config: { access: 'write' },
      schema: {
        ...docs.verifyToolSignature,
        tags,
        params: toolParams,
        body: receivedRequest,
        response: responsesToBody({ 200: signatureCheck }, 'notFound', 'authSecretUnreadable'),
      },
    },
    (request) => explainSignature(app, request.caller, request.params.tool_id, request.body),
  );
}

function encryptionKeyRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/encryption-key',
    {
      config: { access: 'api_key' },
      schema: {
        ...docs.getEncryptionKey,
        tags,
        response: responses({ 200: encryptionKey }),
      },
    },
    (request) => app.secrets.currentEncryptionKey(app.database, projectOf(request.caller).id),
  );
}

const encryptionKey = z
  .strictObject({
    key_id: z.string().meta({ description: 'Id of the key; goes into the `kid` of the JWE header' }),
    jwk: z
      .strictObject({
        kty: z.literal('EC').meta({ description: 'Key type' }),
        crv: z.literal('P-256').meta({ description: 'Curve' }),
        x: z.string().meta({ description: 'X coordinate, base64url' }),
        y: z.string().meta({ description: 'Y coordinate, base64url' }),
        kid: z.string().meta({ description: 'The same as `key_id`' }),
        alg: z.literal('ECDH-ES').meta({ description: 'Key agreement algorithm of the JWE' }),
        use: z.literal('enc').meta({ description: 'The key encrypts and does not sign' }),
      })
      .meta({ description: 'The public key as a JSON Web Key' }),
    public_key: z.string().meta({ description: 'The same key as PEM' }),
  })
  .meta({ id: 'EncryptionKey' });
