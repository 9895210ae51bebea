// The MCP endpoint in the OpenAPI document. The protocol defines its JSON-RPC bodies; this describes the HTTP responses.

import { projectParams } from '@toolgate/contract/fields.ts';
import { exampleIds } from '@toolgate/contract/ids.ts';
import { z } from 'zod';
import { refuse } from '../errors/errors.ts';
import { rpcCodes } from './json-rpc.ts';

const message = z.unknown().meta({
  id: 'JsonRpcMessage',
  override: { type: 'object', additionalProperties: true },
  description: 'A Model Context Protocol message (JSON-RPC 2.0)',
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
});

const error = z
  .looseObject({
    jsonrpc: z.literal('2.0').meta({ description: 'JSON-RPC version' }),
    id: z
      .union([z.string(), z.number(), z.null()])
      .meta({ description: 'Id of the message it responds to; null if it could not be read' }),
    error: z
      .looseObject({
        code: z.number().meta({ description: 'JSON-RPC error code; -32000 for a refusal that `data` describes' }),
        message: z.string().meta({ description: 'The error in words' }),
        data: z.unknown().optional().meta({ description: 'The same `error` object as in the rest of the API' }),
      })
      .meta({ description: 'What went wrong' }),
  })
  .meta({
    id: 'JsonRpcError',
    description: '`data` is the same `error` object as in the rest of the API',
  });

const refusal = (description: string) => ({ description, content: { 'application/json': { schema: error } } });

/** With the example of a refusal that a recording cannot cause. */
function failure(name: 'internal' | 'serviceUnavailable') {
  const { status, code, message } = refuse[name]();
  const data = { code, message, details: {}, request_id: exampleIds.request_id };
  const rpc_code = status === 500 ? rpcCodes.internal_error : rpcCodes.refused;
  const example = { jsonrpc: '2.0', id: 1, error: { code: rpc_code, message, data } };
  return { description: message, content: { 'application/json': { schema: error, example } } };
}

/** The response to `subscriptions/listen`. */
const events = {
  schema: z.string().meta({ description: 'Server-sent events, each with a JSON-RPC message' }),
  example:
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}\n\n',
};

const description = {
  operationId: 'callMcp',
  summary: 'The MCP endpoint: JSON-RPC over Streamable HTTP, revisions 2024-10-07 to 2026-07-28',
  description:
    'Accepts a Model Context Protocol message: `tools/list`, `tools/call`, a notification, `server/discover` and `subscriptions/listen` since 2026-07-28, `initialize` and `ping` before. `tools/call` calls a tool the same way as `POST /custom-tools/{tool_id}/execute`. A failed call is a result with `isError`, so that the model can correct it; the statuses below are refusals of the request. `subscriptions/listen` responds with server-sent events that report changes to the tool list. The server keeps no MCP session: every request is authenticated separately.',
  tags: ['MCP'],
  body: message,
  response: {
    200: {
      description: 'The response',
      content: { 'application/json': { schema: message }, 'text/event-stream': events },
    },
    202: { description: 'A notification was accepted; no body' },
    400: refusal('The body is not JSON-RPC, or contradicts the headers'),
    401: refusal('Invalid or inactive API key; an expired member session'),
    403: refusal('Tool not enabled, member context required, or Origin or Host not allowed'),
    404: refusal('The method does not exist in this revision'),
    413: refusal('The body is too large'),
    415: refusal('The body is not JSON'),
    429: refusal('Rate limit exceeded, or too many streams for one credential; wait Retry-After seconds'),
    500: failure('internal'),
    503: failure('serviceUnavailable'),
  },
};

const slug = z.string().meta({ description: 'Slug of the toolset', example: 'support' });

/** By path. */
export const descriptions: Record<string, object> = {
  '/api/v1/mcp': description,
  '/api/v1/mcp/:project_id': {
    ...description,
    operationId: 'callProjectMcp',
    summary: "A project's own MCP endpoint, for clients that sign in with OAuth",
    description: `${description.description} A client without a credential finds out here where to sign in.`,
    params: projectParams,
  },
  '/api/v1/mcp/toolsets/:slug': {
    ...description,
    operationId: 'callToolsetMcp',
    summary: 'The MCP endpoint with the tools of one toolset',
    description: `${description.description} Lists and calls only those tools of the toolset that the credential can use: the URL never gives access to more. An unknown toolset returns 404.`,
    params: z.strictObject({ slug }),
  },
  '/api/v1/mcp/:project_id/toolsets/:slug': {
    ...description,
    operationId: 'callProjectToolsetMcp',
    summary: "A project's MCP endpoint with the tools of one toolset",
    description: `${description.description} Lists and calls only those tools of the toolset that the credential can use. A client without a credential finds out here where to sign in.`,
    params: projectParams.extend({ slug }),
  },
};
