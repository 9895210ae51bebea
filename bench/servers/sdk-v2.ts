// The low-level server of the official SDK, version 2, behind our gateway.

import { type AuthInfo, createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { TokenCaller } from '../../server/src/access/caller.ts';
import type { App } from '../../server/src/app.ts';
import { call, serve, toolsFor } from './sdk-gateway.ts';

type Extra = { app: App; caller: TokenCaller; request_id: string; argument_bytes: number };

const handler = createMcpHandler(({ authInfo }) => {
  const { app, caller, ...origin } = (authInfo as AuthInfo).extra as Extra;
  const server = new Server({ name: caller.project.name, version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: await toolsFor(app, caller),
    ttlMs: 0,
    cacheScope: 'private',
  }));
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, { mcpReq: { signal } }) =>
    call(app, caller, { name, given, signal, ...origin }),
  );
  return server;
});

/** Converts between Node and the SDK's web-standard entry, as its own adapter for a parsed body does. */
await serve(async (app, incoming, reply) => {
  const body = JSON.stringify(incoming.body);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: 'POST',
    headers: new Headers(incoming.headers as Record<string, string>),
    body,
    signal: gone.signal,
  });
  const extra = { app, caller: incoming.caller, request_id: incoming.id, argument_bytes: body.length };
  const authInfo = { token: '', clientId: '', scopes: [], extra };
  const responded = await handler.fetch(request, { parsedBody: incoming.body, authInfo });
  reply.hijack();
  reply.raw.writeHead(responded.status, {
    ...(reply.getHeaders() as object),
    ...Object.fromEntries(responded.headers),
  });
  for await (const part of responded.body ?? []) reply.raw.write(part);
  reply.raw.end();
  return reply;
});
