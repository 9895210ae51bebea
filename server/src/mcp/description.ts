// The MCP endpoint in the OpenAPI document. The protocol defines its JSON-RPC bodies; this describes the HTTP responses.

import { z } from 'zod';

const message = z.unknown().meta({
  id: 'JsonRpcMessage',
  override: { type: 'object', additionalProperties: true },
  description: 'A JSON-RPC 2.0 message of the Model Context Protocol',
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
});

const error = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
  })
  .meta({
    id: 'JsonRpcError',
    description: '`data` is the `error` object that the rest of the API responds with',
  });

const refusal = (description: string) => ({ description, content: { 'application/json': { schema: error } } });

export const description = {
  operationId: 'callMcp',
  summary: 'The MCP endpoint: JSON-RPC over Streamable HTTP, revisions 2024-10-07 to 2026-07-28',
  description:
    'Accepts an API key or a member session token. A tool call that fails is a result with `isError`; the statuses below are refusals of the request.',
  tags: ['MCP'],
  body: message,
  response: {
    200: { description: 'The response', content: { 'application/json': { schema: message } } },
    202: { description: 'A notification was accepted; no body' },
    400: refusal('Not JSON-RPC, or headers and body do not agree'),
    401: refusal('Invalid or inactive API key; a member session that expired'),
    403: refusal('Tool not enabled, member context required, or the Origin or Host is not allowed'),
    404: refusal('The method does not exist in this revision'),
    413: refusal('The body is too large'),
    415: refusal('The body is not JSON'),
    429: refusal('Rate limit exceeded; wait Retry-After seconds'),
    500: refusal('Internal server error'),
    503: refusal('Service unavailable'),
  },
};
