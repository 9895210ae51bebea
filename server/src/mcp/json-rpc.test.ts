import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorText, parseBody, RpcError, readMessage, requestIdOf, resultBody, wholeText } from './json-rpc.ts';

const invalid = (error: unknown) => error instanceof RpcError && error.code === -32600 && error.status === 400;
const unparsable = (error: unknown) => error instanceof RpcError && error.code === -32700 && error.status === 400;

test('requests, notifications and responses are distinguished', () => {
  assert.deepEqual(readMessage({ jsonrpc: '2.0', id: 0, method: 'ping' }), {
    kind: 'request',
    id: 0,
    method: 'ping',
    params: {},
  });
  assert.deepEqual(readMessage({ jsonrpc: '2.0', id: '', method: 'ping', params: { a: 1 } }).kind, 'request');
  assert.deepEqual(readMessage({ jsonrpc: '2.0', method: 'notifications/initialized' }).kind, 'notification');
  assert.deepEqual(readMessage({ jsonrpc: '2.0', id: 1, result: {} }), { kind: 'response' });
  assert.deepEqual(readMessage({ jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }), { kind: 'response' });
});

test('a value that is not a JSON-RPC 2.0 message is an invalid request', () => {
  const bad = [
    null,
    1,
    'ping',
    [],
    {},
    { method: 'ping' },
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: 2, id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, method: 7 },
    { jsonrpc: '2.0', id: 1, method: null },
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    { jsonrpc: '2.0', id: 2 ** 53, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: true, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: null },
  ];
  for (const value of bad) assert.throws(() => readMessage(value), invalid, JSON.stringify(value));
});

test('a body that is not strict JSON is a parse error', () => {
  const bad = [
    '',
    '{',
    'null x',
    '{"a":1,}',
    '\u0000',
    `${'['.repeat(33)}${']'.repeat(33)}`,
    '{"a":1,"a":2}',
    '{"__proto__":{}}',
  ];
  for (const text of bad) assert.throws(() => parseBody(Buffer.from(text)), unparsable, text);
  assert.throws(() => parseBody(Buffer.from([0x22, 0xff, 0x22])), unparsable);
  assert.throws(() => parseBody(undefined), unparsable);
  assert.deepEqual(parseBody(Buffer.from('{"a":[1]}')), { a: [1] });
});

test('an error response has the id of a request, and null for everything else', () => {
  assert.equal(requestIdOf({ id: 'a', method: 'x' }), 'a');
  assert.equal(requestIdOf({ id: 0, method: 'x', jsonrpc: '1.0' }), 0);
  for (const value of [null, [], { id: 1 }, { id: null, method: 'x' }, { id: {}, method: 'x' }, { method: 'x' }])
    assert.equal(requestIdOf(value), null);
});

test('an id is returned as it was sent', () => {
  for (const id of [0, -1, '1', 'a"b\n', 'ü']) {
    const parts = { parts: ['{"a":', Buffer.from('"ü"'), '}'], is_cached: false };
    assert.deepEqual(JSON.parse(wholeText(resultBody(id, '{"a":1}'))), { jsonrpc: '2.0', id, result: { a: 1 } });
    assert.deepEqual(JSON.parse(wholeText(resultBody(id, parts))), { jsonrpc: '2.0', id, result: { a: 'ü' } });
    assert.equal(JSON.parse(errorText(id, -32000, 'no', undefined)).id, id);
  }
  assert.deepEqual(JSON.parse(errorText(null, -32700, 'no', { a: 1 })), {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'no', data: { a: 1 } },
  });
});
