import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Connection, READ_AT_ONCE_BYTES } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';

test('a connection pauses while it reads a large response, asks once when it may read on, and does neither for a small one', () => {
  const socket = new PassThrough();
  const waiting: (() => void)[] = [];
  let resumed = 0;
  const exchange = {
    onConnection() {},
    onHead() {},
    onBody() {},
    onEnd() {},
    onError() {},
    whenRoom: (resume: () => void) => resume(),
  };
  const pool = { remove() {}, addIdle() {} } as unknown as ConnectionPool;
  const connection = new Connection(
    pool,
    () => 0,
    (resume) => waiting.push(resume),
    exchange,
  );
  connection.onConnect(socket);
  socket.resume = () => {
    resumed += 1;
    return socket;
  };
  connection.send('', 'GET', exchange);
  const body = 3 * READ_AT_ONCE_BYTES;
  assert.ok(connection.onBytes(Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body}\r\n\r\n`)));
  assert.ok(connection.onBytes(Buffer.alloc(READ_AT_ONCE_BYTES - 1)));
  assert.ok(!connection.onBytes(Buffer.alloc(READ_AT_ONCE_BYTES)));
  assert.ok(!connection.onBytes(Buffer.alloc(1)), 'what was read already is passed on');
  assert.deepEqual([waiting.length, resumed], [1, 0]);
  waiting[0]?.();
  assert.equal(resumed, 1);
  assert.ok(!connection.onBytes(Buffer.alloc(READ_AT_ONCE_BYTES - 1)));
  assert.equal(waiting.length, 2);
  assert.ok(connection.onBytes(Buffer.alloc(1)), 'a complete response leaves its connection running');
});

test('a connection does not read on before there is room for what it reads', () => {
  const socket = new PassThrough();
  const waiting: (() => void)[] = [];
  let resumed = 0;
  const nothing = { onConnection() {}, onHead() {}, onBody() {}, onEnd() {}, onError() {} };
  const exchange = { ...nothing, whenRoom: (resume: () => void) => void waiting.push(resume) };
  const pool = { remove() {}, addIdle() {} } as unknown as ConnectionPool;
  const resumeLater = (resume: () => void) => resume();
  const connection = new Connection(pool, () => 0, resumeLater, exchange);
  connection.onConnect(socket);
  socket.resume = () => {
    resumed += 1;
    return socket;
  };
  connection.send('', 'GET', exchange);
  connection.onBytes(Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${3 * READ_AT_ONCE_BYTES}\r\n\r\n`));
  assert.ok(!connection.onBytes(Buffer.alloc(READ_AT_ONCE_BYTES)));
  assert.deepEqual([waiting.length, resumed], [1, 0]);
  waiting[0]?.();
  assert.equal(resumed, 1);
});
