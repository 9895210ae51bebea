import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { makeAuthority } from '../../test/support/peers/certificates.ts';
import { clientConfig } from './connection.ts';
import { createSockets } from './sockets.ts';

const SSL_REQUEST_BYTES = 8;
const AUTHENTICATION_OK = Buffer.from('520000000800000000', 'hex');
const READY_FOR_QUERY = Buffer.from('5a0000000549', 'hex');
const certificate = makeAuthority().issue(['localhost']);

/** A server that accepts every PostgreSQL connection and never responds to a query. */
const server = createServer((socket) => {
  serve(socket).catch((error: Error) => socket.destroy(error));
});

async function serve(socket: Socket): Promise<void> {
  const [first] = (await once(socket, 'data')) as [Buffer];
  const isTls = first.length === SSL_REQUEST_BYTES;
  let session: Socket = socket;
  if (isTls) {
    socket.write('S');
    session = new TLSSocket(socket, { isServer: true, ...certificate });
    await once(session, 'data');
  }
  session.on('error', () => {}).resume();
  session.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY]));
}
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

for (const ssl of [false, { rejectUnauthorized: false }] as const) {
  test(`destroying the sockets ends a query that has no answer, ${ssl ? 'with' : 'without'} TLS`, async () => {
    const { port } = server.address() as AddressInfo;
    const sockets = createSockets();
    const client = new pg.Client({ ...clientConfig({ host: '127.0.0.1', port, user: 'x' }, sockets), ssl });
    client.on('error', () => {});
    await client.connect();
    const query = client.query('select 1');
    sockets.destroyAll();
    await assert.rejects(query, /Connection terminated/);
  });
}
