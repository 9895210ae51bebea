// A hand-written MCP server of the package fastmcp, without sessions.

import { FastMCP } from 'fastmcp';
import { description, findOrders, names, parameters } from './find-orders.ts';

const server = new FastMCP({ name: 'orders', version: '1.0.0', health: { path: '/readyz' } });
for (const name of names) server.addTool({ name, description, parameters, execute: findOrders });
await server.start({
  transportType: 'httpStream',
  httpStream: {
    host: '127.0.0.1',
    port: Number(process.env.PORT),
    endpoint: '/api/v1/mcp',
    stateless: true,
    enableJsonResponse: true,
  },
});
process.on('SIGTERM', () => process.exit(0));
