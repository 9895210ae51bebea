// mcp-proxy, which serves an MCP server of stdio over HTTP, as its command line does.

import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { proxyServer, startHTTPServer } from 'mcp-proxy';

const client = new Client({ name: 'mcp-proxy', version: '1.0.0' });
const args = [join(import.meta.dirname, 'stdio-server.ts')];
await client.connect(
  new StdioClientTransport({ command: process.execPath, args, env: process.env as Record<string, string> }),
);
const capabilities = client.getServerCapabilities() ?? {};
const { close } = await startHTTPServer({
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  streamEndpoint: '/api/v1/mcp',
  sseEndpoint: null,
  stateless: true,
  async createServer() {
    const server = new Server({ name: 'orders', version: '1.0.0' }, { capabilities });
    await proxyServer({ client, server, serverCapabilities: capabilities });
    return server;
  },
  async onUnhandledRequest(_request, response) {
    response.end('ok');
  },
});
process.on('SIGTERM', () => {
  Promise.all([client.close(), close()]).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
