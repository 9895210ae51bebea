// The floor of tools/list: a Fastify route that sends one prepared text. It reads and parses the request, and nothing else.

import Fastify from 'fastify';

const server = Fastify();
const response = process.env.RESPONSE as string;
server.get('/readyz', async () => ({ status: 'ok' }));
server.post('/api/v1/mcp', (_request, reply) => reply.type('application/json').send(response));
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.on('SIGTERM', () => process.exit(0));
