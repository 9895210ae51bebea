// The peer of the MCP endpoint: the official SDK's low-level server (v2) with a tool that makes the same call to the same
// upstream, and a list of 100 tools. It has no authentication, limit, schema check, signature, guard or log.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { Pool } from 'undici';
import { hundredTools } from './hundred-tools.ts';

const { origin, pathname: path } = new URL(process.env.UPSTREAM as string);
const pool = new Pool(origin, { connections: 10 });
const tools = hundredTools.map(({ name, description, input_schema }) => ({
  name,
  description,
  inputSchema: input_schema as { type: 'object' },
}));

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools, ttlMs: 0, cacheScope: 'private' }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params.arguments),
      signal: mcpReq.signal,
    });
    const found = await answer.body.text();
    return { content: [{ type: 'text', text: found }], structuredContent: JSON.parse(found) };
  });
  return server;
});

const server = createServer((incoming, response) => {
  if (incoming.method === 'GET') response.end('ok');
  else void answer(incoming, response);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

/** From node:http to the SDK's web-standard entry and back, as its own adapter does it; a client that goes away ends the call. */
async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => response.writableFinished || gone.abort());
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: 'POST',
    headers: new Headers(incoming.headers as Record<string, string>),
    body: await text(incoming),
    signal: gone.signal,
  });
  const answered = await handler.fetch(request);
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const part of answered.body ?? []) response.write(part);
  response.end();
}
