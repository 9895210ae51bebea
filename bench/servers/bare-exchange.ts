// The baseline of the exchange of an assertion: node:http, jose.jwtVerify and the insert of one row, on an embedded PostgreSQL of
// its own. It authenticates, limits, binds and records nothing, and accepts an assertion twice.

import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { jwtVerify } from 'jose';
import pg from 'pg';
import { startEmbedded } from '../../server/src/database/embedded.ts';

const publicKey = createPublicKey(process.env.PUBLIC_KEY as string);
const embedded = await startEmbedded({ data_dir: process.env.TOOLGATE_DATA_DIR as string, log: () => {} });
const pool = new pg.Pool({ ...embedded.connection, max: 10 });
pool.on('error', () => {}); // at the end, PostgreSQL may close a connection before the pool does
await pool.query('create table if not exists sessions (hash bytea primary key, member text, expires_at timestamptz)');
const insert = { name: 'insert', text: 'insert into sessions (hash, member, expires_at) values ($1, $2, $3)' };

async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const { member_assertion } = JSON.parse(Buffer.concat(parts).toString()) as { member_assertion: string };
  const { payload } = await jwtVerify(member_assertion, publicKey, { algorithms: ['ES256'] });
  const session_token = randomBytes(30).toString('base64url');
  const expires_at = new Date(Date.now() + 900_000).toISOString();
  const hash = createHash('sha256').update(session_token).digest();
  await pool.query({ ...insert, values: [hash, payload.sub, expires_at] });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ session_token, expires_at }));
}

const server = createServer((incoming, response) => {
  if (incoming.method === 'GET') response.end('ok');
  else exchange(incoming, response).catch((error: Error) => response.destroy(error));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
async function stop(): Promise<void> {
  await pool.end();
  await embedded.stop();
}
process.on('SIGTERM', () => {
  stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
