// Bytes that arrive on a pooled connection before the next call uses it.

import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { kindOf, openTo, responseOf, startResponding, startWire } from '../../../test/support/requests/wire.ts';
import { createRequester, leave } from '../requester.ts';

/** When this resolves the bytes have arrived (they do not leave this machine), and have not been read. */
async function writeAtOnce(sockets: TLSSocket[], bytes: string): Promise<void> {
  // Otherwise the bytes would wait for an earlier write.
  while (sockets.some(({ writableLength }) => writableLength > 0)) await new Promise(setImmediate);
  // Within an I/O callback: which other sockets this event loop iteration reads is decided already.
  await new Promise((resolve) => stat('.', resolve));
  for (const socket of sockets) socket.setNoDelay(true).write(bytes);
}

describe('a byte that has not been read yet when the next call begins', () => {
  for (const [what, bytes] of Object.entries({
    'a whole answer': responseOf('poison'),
    'one byte': 'H',
    'a line': '\r\n',
  })) {
    test(`(${what}) closes the connection before it is used`, async () => {
      const { port, sockets } = await startWire((socket) => socket.write(responseOf('mine')));
      const { ask } = openTo(port);
      assert.equal(await ask(), 'mine');
      await writeAtOnce(sockets, bytes);
      assert.equal(await ask(), 'mine');
      assert.equal(sockets.length, 2);
    });
  }

  test('closes each of several pooled connections, and each call gets a new one', async () => {
    let isPoisoned = false;
    const { port, sockets } = await startWire((socket) => {
      socket.write(responseOf(isPoisoned ? 'new' : 'old'));
    });
    const { ask } = openTo(port);
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['old', 'old', 'old']);
    isPoisoned = true;
    await writeAtOnce(sockets, responseOf('poison'));
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['new', 'new', 'new']);
    assert.equal(sockets.length, 6);
  });

  test('and the end of a pooled connection do not fail that call', async () => {
    const { port, sockets } = await startWire((socket) => socket.write(responseOf('mine')));
    const { ask } = openTo(port);
    for (const calls of [1, 2, 3]) {
      assert.equal(await ask(), 'mine');
      assert.equal(sockets.length, calls);
      sockets.at(-1)?.end();
    }
  });
});

test('a call that ends before it may reuse its connection sends nothing and leaves it to the next call', async () => {
  const customer = await startResponding({ headers: { connection: 'keep-alive' } });
  const { ask } = openTo(customer.port, { max_per_origin: 1 });
  await ask();
  const gone = createRequester();
  const first = kindOf(ask({ path: '/first', requester: gone }));
  const second = ask({ path: '/second' });
  leave(gone);
  assert.equal(await first, 'aborted');
  assert.equal(await second, '{"ok":true}');
  assert.deepEqual([customer.counts.connections, customer.at('/first').length], [1, 0]);
});
