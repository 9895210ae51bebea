// The MCP endpoint in the API reference. Its bodies are JSON-RPC, which the protocol describes; here is what surrounds them.

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
    description: '`data` is the error of the envelope that the rest of the API answers with',
  });

const refused = (description: string) => ({ description, content: { 'application/json': { schema: error } } });

export const description = {
  operationId: 'callMcp',
  summary: 'The MCP endpoint: JSON-RPC over Streamable HTTP, revisions 2024-10-07 to 2026-07-28',
  description:
    'Takes an API key or a member session token. What goes wrong in a call itself is a result with `isError`; the statuses below are refusals of the request.',
  tags: ['MCP'],
  body: message,
  response: {
    200: { description: 'The answer', content: { 'application/json': { schema: message } } },
    202: { description: 'A notification was taken; no body' },
    400: refused('Not JSON-RPC, or headers and body do not agree'),
    401: refused('Invalid or inactive API key; a member session that expired'),
    403: refused('Tool not enabled, member context required, or the Origin or Host is not ours'),
    404: refused('The method does not exist in this revision'),
    413: refused('The body is too large'),
    415: refused('The body is not JSON'),
    429: refused('Rate limit exceeded; wait Retry-After seconds'),
    500: refused('Internal server error'),
    503: refused('Service unavailable'),
  },
};
