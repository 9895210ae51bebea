// The baseline of a tool call: a proxy of node:http and undici. It buffers the body, as a gateway that validates and signs it
// must; that costs less than streams. It validates, signs, limits and records nothing.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

const { origin, pathname: path } = new URL(process.env.UPSTREAM as string);
const pool = new Pool(origin, { connections: 10 });

const server = createServer((incoming, response) => {
  if (incoming.method === 'GET') response.end('ok');
  else forward(incoming, response).catch((error: Error) => response.destroy(error));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const headers = { 'content-type': 'application/json' };
  const upstream = await pool.request({ path, method: 'POST', headers, body: Buffer.concat(parts) });
  const body = Buffer.from(await upstream.body.arrayBuffer());
  response.writeHead(upstream.statusCode, headers);
  response.end(body);
}
