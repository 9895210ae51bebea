// What may have arrived over a kept connection before the next call uses it.

import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { answerOf, kindOf, openTo, startAnswering, startWire } from '../../../test/wire.ts';

/** When this ends the bytes have arrived, for they do not leave this machine, and nobody has read them. */
async function writeAtOnce(sockets: TLSSocket[], bytes: string): Promise<void> {
  // What is written behind something else would wait for it.
  while (sockets.some(({ writableLength }) => writableLength > 0)) await new Promise(setImmediate);
  // Within an I/O callback: what else this turn of the event loop reads is decided already.
  await new Promise((resolve) => stat('.', resolve));
  for (const socket of sockets) socket.setNoDelay(true).write(bytes);
}

describe('a byte that nobody has read yet when the next call begins', () => {
  for (const [what, bytes] of Object.entries({
    'a whole answer': answerOf('poison'),
    'one byte': 'H',
    'a line': '\r\n',
  })) {
    test(`(${what}) ends the connection before it is used`, async () => {
      const { port, sockets } = await startWire((socket) => socket.write(answerOf('mine')));
      const { ask } = openTo(port);
      assert.equal(await ask(), 'mine');
      await writeAtOnce(sockets, bytes);
      assert.equal(await ask(), 'mine');
      assert.equal(sockets.length, 2);
    });
  }

  test('ends each of several kept connections, and each call gets a new one', async () => {
    let isPoisoned = false;
    const { port, sockets } = await startWire((socket) => {
      socket.write(answerOf(isPoisoned ? 'new' : 'old'));
    });
    const { ask } = openTo(port);
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['old', 'old', 'old']);
    isPoisoned = true;
    await writeAtOnce(sockets, answerOf('poison'));
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['new', 'new', 'new']);
    assert.equal(sockets.length, 6);
  });

  test('and the end of a kept connection, are no failure of that call', async () => {
    const { port, sockets } = await startWire((socket) => socket.write(answerOf('mine')));
    const { ask } = openTo(port);
    for (const calls of [1, 2, 3]) {
      assert.equal(await ask(), 'mine');
      assert.equal(sockets.length, calls);
      sockets.at(-1)?.end();
    }
  });
});

test('a call that ends before its connection was quiet sends nothing and leaves it to the next', async () => {
  const customer = await startAnswering({ headers: { connection: 'keep-alive' } });
  const { ask } = openTo(customer.port, { max_per_origin: 1 });
  await ask();
  const gone = new AbortController();
  const first = kindOf(ask({ path: '/first', signal: gone.signal }));
  const second = ask({ path: '/second' });
  gone.abort();
  assert.equal(await first, 'aborted');
  assert.equal(await second, '{"ok":true}');
  assert.deepEqual([customer.counts.connections, customer.at('/first').length], [1, 0]);
});
