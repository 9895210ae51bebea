import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcError, readMessage } from './json-rpc.ts';
import { checkBatch, detectProtocol, legacyRevisions } from './protocol.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const info = 'io.modelcontextprotocol/clientInfo';
const validMeta = { [version]: '2026-07-28', [capabilities]: {}, [info]: { name: 'c', version: '1' } };

type Message = {
  method?: string;
  params?: object;
  id?: number | null;
  headers?: { version?: string; method?: string; name?: string };
};

/** Detects the protocol of a message with these headers; by default a well-formed 2026-07-28 request. */
function detect({ method = 'tools/list', params = { _meta: validMeta }, id = 1, headers }: Message) {
  const message = readMessage({ jsonrpc: '2.0', method, params, ...(id !== null && { id }) });
  assert.ok(message.kind !== 'response');
  const sent = headers ?? { version: '2026-07-28', method };
  return detectProtocol(message, { version: undefined, method: undefined, name: undefined, ...sent });
}

function isRpcError(code: number, status = 400) {
  return (error: unknown) => {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.status], [code, status], error.message);
    return true;
  };
}

test('a request that names 2026-07-28 in its _meta and headers is modern', () => {
  assert.equal(detect({}), 'modern');
  assert.equal(detect({ params: { _meta: { [version]: '2026-07-28', [capabilities]: {} } } }), 'modern');
});

test('a request without a revision in _meta is legacy, whichever earlier revision its header names', () => {
  for (const revision of [undefined, ...legacyRevisions]) {
    assert.equal(detect({ params: {}, headers: revision ? { version: revision } : {} }), 'legacy');
  }
  assert.equal(detect({ params: { _meta: { progressToken: 1 } }, headers: {} }), 'legacy');
});

test('initialize may have any earlier version header: no revision is negotiated yet', () => {
  assert.equal(
    detect({ method: 'initialize', params: { protocolVersion: 'x' }, headers: { version: '1999-01-01' } }),
    'legacy',
  );
  assert.throws(
    () => detect({ method: 'initialize', params: {}, headers: { version: '2026-07-28' } }),
    isRpcError(-32020),
  );
});

test('a modern header without the _meta it needs is invalid params', () => {
  assert.throws(() => detect({ params: {} }), isRpcError(-32602));
  assert.throws(() => detect({ params: { _meta: { [capabilities]: {} } } }), isRpcError(-32602));
});

test('malformed _meta is never treated as an earlier revision', () => {
  const bad = [
    { [version]: '2026-07-28' },
    { [version]: '2026-07-28', [capabilities]: [] },
    { [version]: '2026-07-28', [capabilities]: null },
    { [version]: 20260728, [capabilities]: {} },
    { [version]: null, [capabilities]: {} },
    { [version]: '2026-07-28', [capabilities]: {}, [info]: 'c' },
    { [version]: '2026-07-28', [capabilities]: {}, [info]: { name: 'c' } },
  ];
  for (const _meta of bad)
    assert.throws(() => detect({ params: { _meta } }), isRpcError(-32602), JSON.stringify(_meta));
});

test('headers that contradict the body are a header mismatch', () => {
  const call = { method: 'tools/call', params: { name: 'a', arguments: {}, _meta: validMeta } };
  const good = { version: '2026-07-28', method: 'tools/call', name: 'a' };
  assert.equal(detect({ ...call, headers: good }), 'modern');
  const bad = [
    { ...good, version: '2025-11-25' },
    { method: 'tools/call', name: 'a' },
    { version: '2026-07-28', name: 'a' },
    { ...good, method: 'tools/list' },
    { ...good, method: 'TOOLS/CALL' },
    { version: '2026-07-28', method: 'tools/call' },
    { ...good, name: 'b' },
    { ...good, name: 'A' },
    { ...good, name: '=?base64?YQ?=' },
    { ...good, name: '=?base64?!!!!?=' },
  ];
  for (const headers of bad)
    assert.throws(() => detect({ ...call, headers }), isRpcError(-32020), JSON.stringify(headers));
  assert.equal(detect({ ...call, headers: { ...good, name: '=?base64?YQ==?=' } }), 'modern');
});

test('an unsupported revision is refused with the list of supported ones', () => {
  const unsupported = { ...validMeta, [version]: 'v999.0.0' };
  assert.throws(
    () => detect({ params: { _meta: unsupported }, headers: { version: 'v999.0.0', method: 'tools/list' } }),
    (error: unknown) =>
      isRpcError(-32022)(error) &&
      assert.partialDeepStrictEqual((error as RpcError).data, { supported: ['2026-07-28'], requested: 'v999.0.0' }) ===
        undefined,
  );
  assert.throws(() => detect({ params: {}, headers: { version: '2024-01-01' } }), isRpcError(-32022));
  assert.throws(() => detect({ params: {}, headers: { version: '' } }), isRpcError(-32022));
});

test('a notification needs no _meta: its header decides', () => {
  const sent = { id: null, method: 'notifications/cancelled', params: {} };
  assert.equal(detect({ ...sent, headers: { version: '2026-07-28' } }), 'modern');
  assert.equal(detect({ ...sent, headers: {} }), 'legacy');
});

test('a batch is accepted only for revisions that have batches', () => {
  const batch = (revision?: string) => checkBatch({ version: revision, method: undefined, name: undefined });
  for (const revision of [undefined, '2025-03-26', '2024-11-05']) batch(revision);
  for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'])
    assert.throws(() => batch(revision), isRpcError(-32600));
  assert.throws(() => batch('1999-01-01'), isRpcError(-32022));
});
