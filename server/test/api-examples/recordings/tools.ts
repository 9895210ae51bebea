// Custom tools: their definitions, calls, signatures and imports.

import { makeKey, makeProject } from '../../support/make/make.ts';
import type { Recorder } from '../recorder.ts';

const order = { id: 'A-1001', status: 'shipped', total: 49.9 };

const input_schema = {
  type: 'object',
  properties: { order_id: { type: 'string', description: 'Number of the order, such as A-1001' } },
  required: ['order_id'],
};

const note = { type: 'object', properties: { text: { type: 'string' } } };

/** The calls of the recording may be in two minutes. */
const oneInterval = (body: any) => ({ ...body, data: body.data.slice(0, 1) });

const firstTool = (body: any) => ({ ...body, tools: body.tools.slice(0, 1) });

export async function recordTools({ server, customer, record, recordError }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  customer.respond('/v1/orders/A-1001', { body: order });
  const body = {
    name: 'find_order',
    description: 'Finds an order by its number and says whether it was shipped.',
    base_url: customer.url,
    endpoint_path: '/v1/orders/{{order_id}}',
    method: 'GET',
    input_schema,
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret: 'replace-with-32-random-bytes-of-your-own',
  };
  const { id: tool_id } = await record('createCustomTool', { key, body });
  const one = { key, params: { tool_id } };
  await record('listCustomTools', { key });
  await record('getCustomTool', one);
  const found = await record('executeCustomTool', { ...one, body: { arguments: { order_id: 'A-1001' } } });
  await recordSignature({ customer, record } as Recorder, one, found.call_id);
  await server.app.batch_writer.flush();
  await record('listToolCalls', { key, params: { project_id }, query: { limit: '1' } });
  await record('getToolCall', { key, params: { project_id, call_id: found.call_id } });
  const from = new Date(server.app.now() - 60_000).toISOString();
  const query = { from, interval: 'minute', group_by: 'tool' };
  await record('getAnalytics', { key, params: { project_id }, query, shorten: oneInterval });
  await record('getResultReport', { key, params: { project_id }, query: { from } });
  await record('updateCustomTool', { ...one, body: { title: 'Find an order', timeout_ms: 10_000 } });
  await record('duplicateCustomTool', { ...one, body: { name: 'find_order_of_partner' } });
  await record('disableCustomTool', one);
  await recordError('executeCustomTool', 'TOOL_NOT_ENABLED', { ...one, body: { arguments: { order_id: 'A-1001' } } });
  await record('enableCustomTool', one);
  await record('listCustomToolVersions', { ...one, query: { limit: '1' } });
  await record('getCustomToolVersion', { key, params: { tool_id, version: '1' } });
  await record('getEncryptionKey', { key });
  await recordToolErrors({ customer, recordError } as Recorder, one, body);
  await record('loadSampleTools', { key, params: { project_id }, shorten: firstTool });
  await record('changeCustomTools', { key, body: { ids: [tool_id], action: 'disable' } });
  await record('deleteCustomTool', one);
}

/** Sends what the customer received back to be checked, as a customer's developer would. */
async function recordSignature({ customer, record }: Recorder, one: object, call_id: string): Promise<void> {
  const request = customer.requests.find(({ headers }) => headers['x-toolgate-request-id'] === call_id);
  const signed = Object.entries(request?.headers ?? {}).filter(([name]) => name.startsWith('x-toolgate-'));
  const body = {
    method: request?.method,
    host: request?.headers.host,
    path: request?.path,
    query: request?.query,
    headers: Object.fromEntries(signed),
    body: String(request?.body ?? ''),
  };
  await record('verifyToolSignature', { ...one, body });
  await record('previewCustomTool', { ...one, body: { arguments: { order_id: 'A-1001' } } });
  const definition = { base_url: 'https://api.example.com', endpoint_path: '/v1/notes', input_schema: note };
  await record('previewToolDefinition', { ...one, body: { definition, arguments: { text: 'Call back' } } });
  const response = JSON.stringify({ id: 'A-1001', status: 'sent', _links: { self: '/v1/orders/A-1001' } });
  await record('previewToolResponse', { ...one, body: { body: response, response: { drop: ['**._links'] } } });
}

async function recordToolErrors(
  { customer, recordError }: Recorder,
  one: { key: string; params: { tool_id: string } },
  tool: object,
): Promise<void> {
  const { key } = one;
  const call = (order_id: unknown, more = {}) => ({ ...one, body: { arguments: { order_id, ...more } } });
  customer.respond('/v1/orders/A-404', { status: 404, body: { error: 'no such order' } });
  await recordError('executeCustomTool', 'UPSTREAM_STATUS', call('A-404'));
  await recordError('executeCustomTool', 'RESERVED_VARIABLE', call('A-1001', { project_id: 'x' }));
  const create = (change: object) => ({ key, body: { ...tool, name: 'other', ...change } });
  await recordError('createCustomTool', 'NAME_TAKEN', create({ name: 'find_order' }));
  await recordError('createCustomTool', 'BASE_URL_NOT_HTTPS', create({ base_url: 'http://api.example.com' }));
  await recordError('createCustomTool', 'BASE_URL_NOT_ORIGIN', create({ base_url: 'https://api.example.com/v1' }));
  await recordError('createCustomTool', 'ENDPOINT_PATH_NOT_ABSOLUTE', create({ endpoint_path: 'v1/orders' }));
  await recordError('createCustomTool', 'AUTH_SECRET_REQUIRED', create({ encrypted_auth_secret: null }));
}

const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/v1/orders/{order_id}': {
      get: {
        operationId: 'getOrder',
        summary: 'Read an order',
        parameters: [
          { name: 'order_id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'Accept-Language', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'The order',
            content: { 'application/json': { schema: { type: 'object', properties: { status: { type: 'string' } } } } },
          },
        },
      },
    },
  },
  components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearerAuth: [] }],
};

export async function recordImport({ server, customer, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  await record('importCustomTools', { key, body: { document, dry_run: true } });
  const form = { document: JSON.stringify(document), on_conflict: 'update' };
  const data = new FormData();
  for (const [name, text] of Object.entries(form)) data.append(name, text);
  const upload = new Response(data);
  const media_type = upload.headers.get('content-type') as string;
  await record('importCustomTools', { key, body: await upload.bytes(), media_type, shown_body: form });
  const exclude = [{ method: 'DELETE' }];
  await record('importCustomTools', { key, body: { document, exclude, on_conflict: 'update', is_enabled: true } });
  customer.respond('/openapi.json', { body: document });
  const auth_secrets = { bearerAuth: 'replace-with-the-token-of-your-api' };
  const fetched = { document_url: `${customer.url}/openapi.json`, auth_secrets, on_conflict: 'update' };
  await record('importCustomTools', { key, body: fetched });
}
