// The baseline of the webhook fan-out: signs each event and sends it with undici. It stores nothing, so an event is lost when the
// process ends, and it never retries.

import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

const { origin, pathname } = new URL(process.env.UPSTREAM as string);
const endpoints = Number(process.env.ENDPOINTS);
const pool = new Pool(origin, { connections: 50 });

async function deliver(path: string, body: string): Promise<void> {
  const signature = createHmac('sha256', 'a secret of the bench').update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-webhook-signature': signature };
  const response = await pool.request({ path, method: 'POST', headers, body });
  await response.body.dump();
}

async function accept(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const data = JSON.parse(Buffer.concat(parts).toString()) as object;
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ id: randomUUID(), type: 'project.updated', timestamp, data });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data));
  await Promise.all(Array.from({ length: endpoints }, (_, i) => deliver(`${pathname}/${i}`, body)));
}

const server = createServer((incoming, response) => {
  if (incoming.method === 'GET') response.end('ok');
  else accept(incoming, response).catch((error: Error) => response.destroy(error));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
