// The baseline of a read and of tools/list: bare Fastify routes that return the same JSON.

import Fastify from 'fastify';

const server = Fastify();
const response = JSON.parse(process.env.RESPONSE ?? '{}') as object;
server.get('/readyz', async () => ({ status: 'ok' }));
server.get('/api/v1/projects/:project_id', async () => response);
server.post('/api/v1/mcp', async () => response);
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.on('SIGTERM', () => process.exit(0));
