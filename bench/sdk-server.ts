// The comparison for the MCP endpoint: the same gateway (authentication, limit, schema, signature, guard, log) with the official
// SDK's low-level server, v2, in place of ours.

import { type AuthInfo, createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenCaller } from '../server/src/access/caller.ts';
import { disconnectSignal } from '../server/src/api/client-disconnect.ts';
import { openApp } from '../server/src/app.ts';
import { readConfig } from '../server/src/config.ts';
import { eventCatalogue } from '../server/src/event-catalogue.ts';
import { callTool } from '../server/src/features/custom-tools/call.ts';
import { listToolsForModel } from '../server/src/features/custom-tools/list-for-model.ts';
import { createServer } from '../server/src/http/server.ts';
import { createLog } from '../server/src/log.ts';

const config = readConfig();
const { app, close } = await openApp(config, createLog(config.log_level), { event_catalogue: eventCatalogue });

type SdkTool = { name: string; description?: string; inputSchema: { type: 'object' } };

/** Cached until the project changes, as ours is. The SDK needs objects. */
async function toolsFor(caller: TokenCaller): Promise<SdkTool[]> {
  const project_id = caller.project.id;
  const load = async () => {
    const { tools } = await listToolsForModel(app, caller, '');
    const value = tools.map(({ name, description, input_schema }) => ({
      name,
      description: description ?? '',
      inputSchema: input_schema as { type: 'object' },
    }));
    return { project_id, value };
  };
  return (
    app.cache.get<SdkTool[]>('sdk_tools', project_id) ??
    ((await app.cache.getOrLoad('sdk_tools', project_id, load)) as SdkTool[])
  );
}

const handler = createMcpHandler(({ authInfo }) => {
  const { caller, request_id, bytes } = (authInfo as AuthInfo).extra as {
    caller: TokenCaller;
    request_id: string;
    bytes: number;
  };
  const server = new Server({ name: caller.project.name, version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: await toolsFor(caller),
    ttlMs: 0,
    cacheScope: 'private',
  }));
  server.setRequestHandler(
    'tools/call',
    async ({ params: { name, arguments: given = {} } }, { mcpReq: { signal } }) => {
      const door = { name: 'mcp', client_name: null, protocol_version: null } as const;
      const call = { name, arguments: given, argument_bytes: bytes, request_id, door, signal };
      const { body } = await callTool(app, caller, call);
      const text = body.toString();
      return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
    },
  );
  return server;
});

/** Converts between Node and the SDK's web-standard entry, as its own adapter for a parsed body does. */
async function answer(incoming: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = JSON.stringify(incoming.body);
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: 'POST',
    headers: new Headers(incoming.headers as Record<string, string>),
    body,
    signal: disconnectSignal(reply),
  });
  const extra = { caller: incoming.caller, request_id: incoming.id, bytes: body.length };
  const authInfo = { token: '', clientId: '', scopes: [], extra };
  const answered = await handler.fetch(request, { parsedBody: incoming.body, authInfo });
  reply.hijack();
  reply.raw.writeHead(answered.status, { ...(reply.getHeaders() as object), ...Object.fromEntries(answered.headers) });
  for await (const part of answered.body ?? []) reply.raw.write(part);
  reply.raw.end();
  return reply;
}

const server = createServer(app);
server.get('/readyz', { config: { access: 'public' } }, async () => ({ status: 'ok' }));
// Without a permit for the whole request, like our endpoint: cached calls do not use the database.
server.post('/api/v1/mcp', { config: { access: 'caller', database_permit: false } }, answer);
await server.listen({ host: config.host, port: config.port });
async function stop(): Promise<void> {
  await server.close();
  await close();
}
process.on('SIGTERM', () => {
  stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
