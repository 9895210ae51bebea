// The floor of a tool call: node:http and undici. It reads the body whole, as whoever checks and signs it must, passes it on and
// passes the answer back; that costs less than streams would. It checks, signs, limits and records nothing.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

const { origin, pathname: path } = new URL(process.env.UPSTREAM as string);
const pool = new Pool(origin, { connections: 10 });

const server = createServer((incoming, response) => {
  if (incoming.method === 'GET') response.end('ok');
  else pass(incoming, response).catch((error: Error) => response.destroy(error));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const headers = { 'content-type': 'application/json' };
  const answer = await pool.request({ path, method: 'POST', headers, body: Buffer.concat(parts) });
  const body = Buffer.from(await answer.body.arrayBuffer());
  response.writeHead(answer.statusCode, headers);
  response.end(body);
}
