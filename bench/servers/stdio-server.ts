// A hand-written MCP server of the official SDK v2 over stdio, which mcp-proxy serves over HTTP.

import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { description, findOrders, names, parameters } from './find-orders.ts';

const server = new McpServer({ name: 'orders', version: '1.0.0' });
for (const name of names)
  server.registerTool(name, { description, inputSchema: parameters }, async (given) => ({
    content: [{ type: 'text', text: await findOrders(given) }],
  }));
await server.connect(new StdioServerTransport());
