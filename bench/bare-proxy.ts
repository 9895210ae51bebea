// The floor of a tool call: node:http and undici, as one writes a proxy. What comes in streams on to the HTTPS upstream, and what
// it answers streams back. It checks, signs, limits and records nothing.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';

const { origin, pathname: path } = new URL(process.env.UPSTREAM as string);
const pool = new Pool(origin, { connections: 10 });

const server = createServer((incoming, response) => {
  if (incoming.method === 'GET') response.end('ok');
  else void pass(incoming, response);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host: _, connection: __, ...headers } = incoming.headers;
  const answer = await pool.request({ path, method: 'POST', headers, body: incoming });
  response.writeHead(answer.statusCode, answer.headers);
  await pipeline(answer.body, response);
}
