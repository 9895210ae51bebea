import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { docsUrl, refusals, refuse } from './errors.ts';

test('every refusal has a reason in snake_case and a remedy of one sentence, for the trace of a request', () => {
  for (const { name, code } of refusals) {
    const { reason, remedy } = refuse[name]();
    assert.equal(reason, code.toLowerCase());
    assert.equal(remedy, reasonRows[reason].remedy);
  }
  for (const [reason, { remedy }] of Object.entries(reasonRows)) {
    assert.match(reason, /^[a-z][a-z0-9_]*$/);
    assert.match(remedy, /^[A-Z][^|\n]{8,200}\.$/);
  }
});

test('details have the reason and the remedy, except where a stranger could learn from them', () => {
  const { reason, remedy } = refuse.notFound();
  assert.deepEqual(refuse.notFound().details, { reason, remedy });
  const own = refuse.validation({ details: { field: 'x', reason: 'unknown_field', remedy: 'Take x out.' } });
  assert.deepEqual(own.details, { field: 'x', reason: 'unknown_field', remedy: 'Take x out.' });
  assert.deepEqual([own.reason, own.remedy], ['unknown_field', 'Take x out.']);
  assert.deepEqual([refuse.invalidApiKey().details, refuse.internal().details], [{}, {}]);
});

test('a hidden reason is not in the details', () => {
  const refusal = refuse.upstreamConnection({ hidden_reason: 'connection_refused' });
  assert.deepEqual(refusal.details, refuse.upstreamConnection().details);
  assert.deepEqual([refusal.reason, refusal.remedy], ['connection_refused', reasonRows.connection_refused.remedy]);
});

test('the link of an error has the public URL as it is, also that of a loopback address', () => {
  for (const url of ['https://tools.example.com', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    assert.equal(docsUrl(url, 'not_found'), `${url}/docs/errors#not_found`);
});

test('the link of an error names the reason as sent', () => {
  assert.equal(refuse.validation({ details: { reason: 'unknown_field' } }).anchor, 'unknown_field');
  assert.equal(refuse.upstreamConnection({ hidden_reason: 'connection_refused' }).anchor, 'upstream_connection');
  assert.equal(refuse.invalidApiKey({ hidden_reason: 'api_key_revoked' }).anchor, 'invalid_api_key');
});
