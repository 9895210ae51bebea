import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { describe, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { testAuthority } from '../../../test/support/peers/fake-customer.ts';
import {
  closing,
  kindOf,
  openTo,
  responseOf,
  startResponding,
  startWire,
} from '../../../test/support/requests/wire.ts';
import { parseAllowList } from '../allow-list.ts';
import { createRequester, leave } from '../requester.ts';

/** A proxy that sends everything after the handshake together with the end of the connection. */
async function startBufferingProxy(port: number, sockets: TLSSocket[]): Promise<number> {
  const server = createTcpServer((client) => {
    const origin = connectTcp(port, '127.0.0.1');
    const kept: Buffer[] = [];
    const known = sockets.length;
    client.on('error', () => {}).on('data', (bytes) => origin.write(bytes));
    client.on('close', () => origin.destroy());
    origin
      .on('error', () => {})
      .on('data', (bytes) => (sockets.length > known ? kept.push(bytes) : client.write(bytes)));
    origin.on('end', () => client.end(Buffer.concat(kept)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

describe('a pooled connection', () => {
  const kept = { connection: 'keep-alive' };

  test('is reused for four seconds if the server names no timeout', async () => {
    const customer = await startResponding({ headers: kept });
    const { ask, clock } = openTo(customer.port);
    for (clock.now of [0, 3_999, 7_998]) await ask();
    assert.equal(customer.counts.connections, 1);
    clock.now += 4_000;
    await ask();
    assert.equal(customer.counts.connections, 2);
  });

  test('is reused for the timeout of the server, less a second', async () => {
    const customer = await startResponding({ headers: { ...kept, 'keep-alive': 'timeout=11' } });
    const { ask, clock } = openTo(customer.port);
    for (clock.now of [0, 9_999]) await ask();
    assert.equal(customer.counts.connections, 1);
    clock.now += 10_000;
    await ask();
    assert.equal(customer.counts.connections, 2);
  });

  test('is not reused 60 seconds after it was opened, however busy', async () => {
    const customer = await startResponding({ headers: { ...kept, 'keep-alive': 'timeout=600' } });
    const { ask, clock } = openTo(customer.port);
    for (clock.now of [0, 30_000, 59_999]) await ask();
    assert.equal(customer.counts.connections, 1);
    clock.now = 60_000;
    await ask();
    assert.equal(customer.counts.connections, 2);
  });

  test('that the other side closes is not reused', async () => {
    const { port, sockets } = await startWire((socket) => socket.write(responseOf('mine')));
    const { ask } = openTo(port);
    assert.equal(await ask(), 'mine');
    await once(sockets[0]?.end() as TLSSocket, 'close');
    assert.equal(await ask(), 'mine');
    assert.equal(sockets.length, 2);
  });

  test('is closed by a byte received while it is idle, and no call fails', async () => {
    const { port, sockets } = await startWire((socket) => socket.write(responseOf('mine')));
    const { ask } = openTo(port);
    assert.equal(await ask(), 'mine');
    sockets[0]?.write(responseOf('poison'));
    await once(sockets[0] as TLSSocket, 'close');
    assert.equal(await ask(), 'mine');
    assert.equal(sockets.length, 2);
  });
});

describe('a connection is not reused', () => {
  const notKept: Record<string, string> = {
    'if the timeout of the server is one second':
      'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 4\r\n\r\nmine',
    'after `connection: close`': 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\nmine',
    'after HTTP/1.0': 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 4\r\n\r\nmine',
    'after more bytes than Content-Length': `${responseOf('mine')}${responseOf('poison')}`,
  };
  for (const [when, bytes] of Object.entries(notKept)) {
    test(when, async () => {
      const { port, sockets } = await startWire((socket) => socket.write(bytes));
      const { ask } = openTo(port, { max_per_origin: 1 });
      assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['mine', 'mine', 'mine']);
      assert.equal(sockets.length, 3);
    });
  }

  test('if extra bytes come with the response in a TLS record of their own, not even by a queued call', async () => {
    const shortest = responseOf('mine');
    const response = shortest.replace('\r\n', `\r\nx: ${'y'.repeat(512 - shortest.length - 5)}\r\n`);
    const { port, sockets } = await startWire((socket, request) => {
      // Records of 512 bytes: the response is the first, the extra bytes the second, and both are sent at once.
      socket.setMaxSendFragment(512);
      socket.write(request === 1 ? `${response}${responseOf('poison')}` : response);
    });
    const { ask } = openTo(port, { max_per_origin: 1 });
    assert.equal(response.length, 512);
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['mine', 'mine', 'mine']);
    assert.equal(sockets.length, 2);
  });

  test('if the server closes it right after the response without announcing it, not even by a queued call', async () => {
    const { port, sockets } = await startWire((socket) => socket.end(responseOf('mine')));
    const { ask } = openTo(await startBufferingProxy(port, sockets), { max_per_origin: 1 });
    const asked = Array.from({ length: 20 }, () => ask());
    assert.deepEqual(
      await Promise.all(asked),
      Array.from({ length: 20 }, () => 'mine'),
    );
    assert.equal(sockets.length, 20);
  });

  test('after a response that came before the request was sent completely', async () => {
    const { port, sockets } = await startWire((socket, request) => {
      if (request === 1) socket.pause();
      socket.write(responseOf('mine'));
    });
    const { ask } = openTo(port, { max_per_origin: 1 });
    const asked = [ask({ method: 'POST', body: 'x'.repeat(32 << 20) }), ask()];
    assert.deepEqual(await Promise.all(asked), ['mine', 'mine']);
    assert.equal(sockets.length, 2);
  });
});

test('a body without length that ends with a reset is incomplete', async () => {
  const server = createTcpServer((tcp) => {
    const socket = new TLSSocket(tcp, { isServer: true, ...testAuthority.issue(['localhost']) });
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\nhalf of it', () => tcp.resetAndDestroy());
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  assert.equal(await kindOf(openTo((server.address() as AddressInfo).port).ask()), 'connection');
});

test('a body without length is complete when the other side ends the connection', async () => {
  const { port } = await startWire((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
  assert.equal(await openTo(port).ask(), 'all of it');
});

test('a call that ended while connecting leaves its connection to the next call', async () => {
  const customer = await startResponding({});
  const { promise: lookedUp, resolve } = Promise.withResolvers<void>();
  const lookup = () => lookedUp.then(() => [{ address: '127.0.0.1', family: 4 }]);
  const { ask } = openTo(customer.port, { max_per_origin: 1, lookup });
  const origin = `https://localhost:${customer.port}`;
  const gone = createRequester();
  const first = kindOf(ask({ origin, path: '/first', requester: gone }));
  const second = ask({ origin, path: '/second' });
  leave(gone);
  assert.equal(await first, 'aborted');
  resolve();
  assert.equal(await second, '{"ok":true}');
  assert.deepEqual([customer.counts.connections, customer.requests.length], [1, 1]);
});

test('the second address of a name is used if the first refuses the connection', async () => {
  const customer = await startResponding({});
  const { allowed } = parseAllowList(`127.0.0.1:${customer.port},127.0.0.2:${customer.port}`);
  const lookup = async () => ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  const { ask } = openTo(customer.port, { allow: allowed, lookup });
  const origin = `https://localhost:${customer.port}`;
  assert.deepEqual([await ask({ origin }), await ask({ origin })], ['{"ok":true}', '{"ok":true}']);
  assert.equal(customer.counts.connections, 1);
});

describe('a TLS session', () => {
  test('is resumed by the connections that follow', async () => {
    const customer = await startResponding({ headers: { connection: 'close' } });
    const { ask } = openTo(customer.port);
    for (let call = 0; call < 4; call += 1) await ask();
    assert.deepEqual(
      customer.requests.map(({ is_resumed }) => is_resumed),
      [false, true, true, true],
    );
  });

  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    test(`of ${maxVersion} never replaces the check of a certificate that was refused`, async () => {
      const misnamed = testAuthority.issue(['somebody-else.example']);
      const { port } = await startWire((socket) => socket.write(responseOf('mine')), { ...misnamed, maxVersion });
      const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
      const { ask } = openTo(port, { lookup });
      for (let call = 0; call < 3; call += 1) {
        assert.equal(await kindOf(ask({ origin: `https://localhost:${port}` })), 'connection');
      }
    });
  }
});

test('closing while connecting ends the call as aborted, and the connection with it', async () => {
  const silent = createTcpServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => silent.close(resolve)));
  const { ask, close } = openTo((silent.address() as AddressInfo).port);
  const outcome = kindOf(ask());
  const [socket] = await once(silent, 'connection');
  const closed = once(socket.on('error', () => {}).resume(), 'close');
  await close();
  assert.equal(await outcome, 'aborted');
  await closed;
});
