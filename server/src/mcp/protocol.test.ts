import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcError, readMessage } from './json-rpc.ts';
import { checkBatch, eraOf, legacyRevisions } from './protocol.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const info = 'io.modelcontextprotocol/clientInfo';
const envelope = { [version]: '2026-07-28', [capabilities]: {}, [info]: { name: 'c', version: '1' } };

type Sent = {
  method?: string;
  params?: object;
  id?: number | null;
  headers?: { version?: string; method?: string; name?: string };
};

/** The era of a message sent with these headers; by default a well-formed 2026-07-28 request. */
function era({ method = 'tools/list', params = { _meta: envelope }, id = 1, headers }: Sent) {
  const message = readMessage({ jsonrpc: '2.0', method, params, ...(id !== null && { id }) });
  assert.ok(message.kind !== 'response');
  const sent = headers ?? { version: '2026-07-28', method };
  return eraOf(message, { version: undefined, method: undefined, name: undefined, ...sent });
}

function refusedWith(code: number, status = 400) {
  return (error: unknown) => {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.status], [code, status], error.message);
    return true;
  };
}

test('a request that names 2026-07-28 in its _meta and headers is modern', () => {
  assert.equal(era({}), 'modern');
  assert.equal(era({ params: { _meta: { [version]: '2026-07-28', [capabilities]: {} } } }), 'modern');
});

test('a request without a claim is legacy, whichever older revision its header names', () => {
  for (const revision of [undefined, ...legacyRevisions]) {
    assert.equal(era({ params: {}, headers: revision ? { version: revision } : {} }), 'legacy');
  }
  assert.equal(era({ params: { _meta: { progressToken: 1 } }, headers: {} }), 'legacy');
});

test('initialize may come with any older header: nothing is agreed on yet', () => {
  assert.equal(
    era({ method: 'initialize', params: { protocolVersion: 'x' }, headers: { version: '1999-01-01' } }),
    'legacy',
  );
  assert.throws(
    () => era({ method: 'initialize', params: {}, headers: { version: '2026-07-28' } }),
    refusedWith(-32020),
  );
});

test('a modern header without the _meta it needs is invalid params', () => {
  assert.throws(() => era({ params: {} }), refusedWith(-32602));
  assert.throws(() => era({ params: { _meta: { [capabilities]: {} } } }), refusedWith(-32602));
});

test('a malformed envelope is never served as an older request', () => {
  const bad = [
    { [version]: '2026-07-28' },
    { [version]: '2026-07-28', [capabilities]: [] },
    { [version]: '2026-07-28', [capabilities]: null },
    { [version]: 20260728, [capabilities]: {} },
    { [version]: null, [capabilities]: {} },
    { [version]: '2026-07-28', [capabilities]: {}, [info]: 'c' },
    { [version]: '2026-07-28', [capabilities]: {}, [info]: { name: 'c' } },
  ];
  for (const _meta of bad) assert.throws(() => era({ params: { _meta } }), refusedWith(-32602), JSON.stringify(_meta));
});

test('headers that contradict the body are a header mismatch', () => {
  const call = { method: 'tools/call', params: { name: 'a', arguments: {}, _meta: envelope } };
  const good = { version: '2026-07-28', method: 'tools/call', name: 'a' };
  assert.equal(era({ ...call, headers: good }), 'modern');
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
    assert.throws(() => era({ ...call, headers }), refusedWith(-32020), JSON.stringify(headers));
  assert.equal(era({ ...call, headers: { ...good, name: '=?base64?YQ==?=' } }), 'modern');
});

test('a revision nobody speaks is refused with those we do', () => {
  const claims = { ...envelope, [version]: 'v999.0.0' };
  assert.throws(
    () => era({ params: { _meta: claims }, headers: { version: 'v999.0.0', method: 'tools/list' } }),
    (error: unknown) =>
      refusedWith(-32022)(error) &&
      assert.deepEqual((error as RpcError).data, { supported: ['2026-07-28'], requested: 'v999.0.0' }) === undefined,
  );
  assert.throws(() => era({ params: {}, headers: { version: '2024-01-01' } }), refusedWith(-32022));
  assert.throws(() => era({ params: {}, headers: { version: '' } }), refusedWith(-32022));
});

test('a notification needs no envelope: its header decides', () => {
  const sent = { id: null, method: 'notifications/cancelled', params: {} };
  assert.equal(era({ ...sent, headers: { version: '2026-07-28' } }), 'modern');
  assert.equal(era({ ...sent, headers: {} }), 'legacy');
});

test('a batch is served to revisions that have batches', () => {
  const batch = (revision?: string) => checkBatch({ version: revision, method: undefined, name: undefined });
  for (const revision of [undefined, '2025-03-26', '2024-11-05']) batch(revision);
  for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'])
    assert.throws(() => batch(revision), refusedWith(-32600));
  assert.throws(() => batch('1999-01-01'), refusedWith(-32022));
});
