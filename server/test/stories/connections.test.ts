// Connections cost the server something before anybody has shown a credential: how many there may be, and for how long.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { ROOT_KEY, startServer, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const MOST_PER_ADDRESS = 4;
const server = await startServer({ TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: String(MOST_PER_ADDRESS) });
const proxied = await startServer({
  TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: '1',
  TOOLGATE_TRUSTED_PROXIES: '127.0.0.0/29',
});
const small = await startServer({ TOOLGATE_MAX_CONNECTIONS: '3' });

type Client = { socket: Socket; received(): string };

/** A client that never closes its side by itself. */
async function open({ url }: TestServer, localAddress = '127.0.0.1'): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress, allowHalfOpen: true });
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => (text += part));
  socket.on('error', () => {}); // told by 'close'
  after(() => socket.destroy());
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n';

/** 'served', or 'closed' when the connection ends without an answer. */
async function ask({ socket, received }: Client): Promise<'served' | 'closed'> {
  const before = received().length;
  socket.write(HEALTH);
  await waitUntil(async () => received().length > before || socket.readableEnded || socket.closed, 5000, 'an end');
  return received().slice(before).startsWith('HTTP/1.1 200') ? 'served' : 'closed';
}

const closeAll = async (clients: Client[]) => {
  for (const { socket } of clients) socket.destroy();
  await waitUntil(async () => (await countOpen(server)) === 0, 5000, 'all connections are closed');
};

const countOpen = ({ http }: TestServer) =>
  new Promise<number>((done, fail) => http.getConnections((error, count) => (error ? fail(error) : done(count))));

for (const [what, bytes] of [
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['a header line without a colon', 'GET / HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
  ['a head of 100 KB', `GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(100_000)}\r\n\r\n`],
] as const) {
  test(`a client that sends ${what} gets its answer whole, and cannot keep the socket`, async () => {
    const client = await open(server);
    client.socket.write(bytes);
    await waitUntil(async () => client.received().endsWith('}}'), 5000, 'the answer');
    assert.match(client.received(), /^HTTP\/1\.1 4\d\d /);
    await waitUntil(async () => (await countOpen(server)) === 0, 5000, 'the server gives up the socket');
  });
}

test('who is slow is cut off: 15 s for the head of a request, 30 s for all of it, 120 s of silence', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server.http;
  assert.deepEqual(
    { headersTimeout, requestTimeout, timeout, keepAliveTimeout },
    { headersTimeout: 15_000, requestTimeout: 30_000, timeout: 120_000, keepAliveTimeout: 72_000 },
  );
});

const slow: [what: string, bytes: string][] = [
  ['nothing', ''],
  ['half a head', 'GET /healthz HTTP/1.1\r\nhost: te'],
  ['half a body, with a key', post(`authorization: Bearer ${ROOT_KEY}\r\n`)],
  ['half a body, without a key', post('')],
];
function post(header: string): string {
  const head =
    'POST /api/v1/projects HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 100\r\n';
  return `${head}${header}\r\n{"name":`;
}
for (const [what, bytes] of slow) {
  test(`a client that sends ${what} and no more gets 408 and cannot keep the socket`, async (t) => {
    const { headersTimeout, requestTimeout } = server.http;
    Object.assign(server.http, { headersTimeout: 300, requestTimeout: 600 });
    t.after(() => Object.assign(server.http, { headersTimeout, requestTimeout }));
    const client = await open(server);
    client.socket.write(bytes);
    await waitUntil(async () => client.received().includes('HTTP/1.1 408 '), 10_000, '408');
    await waitUntil(async () => (await countOpen(server)) === 0, 5000, 'the server gives up the socket');
  });
}

test('an address has so many connections and no more; another address is served, and so is the first when it closes one', async () => {
  const clients: Client[] = [];
  for (let i = 0; i < MOST_PER_ADDRESS; i += 1) clients.push(await open(server));
  for (const client of clients) assert.equal(await ask(client), 'served');
  assert.equal(await ask(await open(server)), 'closed');
  const other = await open(server, '127.0.0.2');
  assert.equal(await ask(other), 'served');

  clients.shift()?.socket.destroy();
  await waitUntil(async () => (await countOpen(server)) === MOST_PER_ADDRESS, 5000, 'one is closed');
  const next = await open(server);
  assert.equal(await ask(next), 'served');
  await closeAll([...clients, other, next]);
});

test('connections that were refused are not counted', async () => {
  const clients: Client[] = [];
  for (let i = 0; i < 3 * MOST_PER_ADDRESS; i += 1) clients.push(await open(server));
  await waitUntil(async () => (await countOpen(server)) === MOST_PER_ADDRESS, 5000, 'the others are closed');
  await closeAll(clients);
  const client = await open(server);
  assert.equal(await ask(client), 'served');
  await closeAll([client]);
});

test('a trusted proxy is not limited by its address', async () => {
  for (let i = 0; i < 5; i += 1) assert.equal(await ask(await open(proxied)), 'served');
  assert.equal(await ask(await open(proxied, '127.0.0.9')), 'served');
  assert.equal(await ask(await open(proxied, '127.0.0.9')), 'closed');
});

test('there are so many connections in all, whatever their addresses', async () => {
  for (let i = 1; i <= 3; i += 1) assert.equal(await ask(await open(small, `127.0.0.${i}`)), 'served');
  assert.equal(await ask(await open(small, '127.0.0.4')), 'closed');
});
