import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcError } from './json-rpc.ts';
import { checkParameterHeaders, decodeHeaderValue } from './parameter-headers.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    place: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Never' } },
    free: { type: 'string' },
  },
};

const isMismatch = (error: unknown) => error instanceof RpcError && error.code === -32020 && error.status === 400;

test('arguments that match their headers are accepted', () => {
  const pass: [object, Record<string, string>][] = [
    [{}, {}],
    [{ region: null, free: 'x', list: ['a'] }, {}],
    [{}, { 'mcp-param-region': 'ignored' }],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8=?=' }],
    [{ region: 'SGVsbG8=' }, { 'mcp-param-region': 'SGVsbG8=' }],
    [{ region: '=?base64?SGVsbG8=' }, { 'mcp-param-region': '=?base64?SGVsbG8=' }],
    [{ count: 42 }, { 'mcp-param-count': '42.0' }],
    [{ dry: false }, { 'mcp-param-dry': 'false' }],
    [{ place: { city: 'Bern' } }, { 'mcp-param-city': 'Bern' }],
    [{ place: 'x', region: {} }, {}],
  ];
  for (const [given, headers] of pass) checkParameterHeaders(schema, given, headers);
});

test('an argument whose header is missing, different or invalid is refused', () => {
  const fail: [object, Record<string, string>][] = [
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
    [{ count: 26 }, { 'mcp-param-count': '0x1a' }],
    [{ dry: true }, { 'mcp-param-dry': 'TRUE' }],
    [{ place: { city: 'Bern' } }, { 'mcp-param-city': 'Basel' }],
  ];
  for (const [given, headers] of fail) {
    assert.throws(() => checkParameterHeaders(schema, given, headers), isMismatch, JSON.stringify([given, headers]));
  }
});

test('a header value is Base64 only with prefix and suffix', () => {
  assert.equal(decodeHeaderValue('=?base64?w7w=?='), 'ü');
  assert.equal(decodeHeaderValue('=?base64??='), '');
  assert.equal(decodeHeaderValue('plain'), 'plain');
  assert.equal(decodeHeaderValue('=?base64?w7w?='), undefined);
});
