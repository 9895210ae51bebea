// The low-level server of the official SDK, version 1, behind our gateway: without sessions and with JSON responses, like ours. Its
// documentation asks for a server and a transport of their own for each request.

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { TokenCaller } from '../../server/src/access/caller.ts';
import type { App } from '../../server/src/app.ts';
import { call, serve, toolsFor } from './sdk-gateway.ts';

function createServer(app: App, caller: TokenCaller, origin: { request_id: string; argument_bytes: number }): Server {
  const server = new Server({ name: caller.project.name, version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await toolsFor(app, caller) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }, { signal }) =>
    call(app, caller, { name, given, signal, ...origin }),
  );
  return server;
}

await serve(async (app, request, reply) => {
  const origin = { request_id: request.id, argument_bytes: Number(request.headers['content-length']) };
  const server = createServer(app, request.caller as TokenCaller, origin);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.on('close', () => void server.close());
  await server.connect(transport as Transport);
  await transport.handleRequest(request.raw, reply.raw, request.body);
  return reply;
});
