import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { READ_AT_ONCE_BYTES, resumeInTurn } from './pace-reads.ts';

test('of many large responses four are read in an iteration of the event loop, in turns', async () => {
  const resumed: number[] = [];
  const sockets = Array.from({ length: 6 }, (_, i) => ({ resume: () => resumed.push(i) }));
  for (const socket of sockets) resumeInTurn(socket);
  assert.deepEqual(resumed, []);
  await setImmediate();
  assert.deepEqual(resumed, [0, 1, 2, 3]);
  resumeInTurn(sockets[0] as (typeof sockets)[0]);
  await setImmediate();
  assert.deepEqual(resumed, [0, 1, 2, 3, 4, 5, 0]);
});

test('a connection that asks twice has one turn', async () => {
  let turns = 0;
  const socket = { resume: () => (turns += 1) };
  resumeInTurn(socket);
  resumeInTurn(socket);
  await setImmediate();
  assert.equal(turns, 1);
});

test('a connection pauses while it reads a large response, and not for a small one', async () => {
  const socket = new PassThrough();
  let resumed = 0;
  const exchange = { onConnection() {}, onHead() {}, onBody() {}, onEnd() {}, onError() {} };
  const connection = new Connection({ remove() {}, addIdle() {} } as unknown as ConnectionPool, () => 0, exchange);
  connection.onConnect(socket);
  socket.resume = () => {
    resumed += 1;
    return socket;
  };
  connection.send('', 'GET', exchange);
  const body = 2 * READ_AT_ONCE_BYTES;
  assert.ok(connection.onBytes(Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body}\r\n\r\n`)));
  assert.ok(connection.onBytes(Buffer.alloc(READ_AT_ONCE_BYTES - 1)));
  assert.ok(!connection.onBytes(Buffer.alloc(READ_AT_ONCE_BYTES)));
  assert.equal(resumed, 0);
  await setImmediate();
  assert.equal(resumed, 1);
  assert.ok(connection.onBytes(Buffer.alloc(1)), 'a complete response leaves its connection running');
});
