import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type SignedRequest,
  type ToolSignatureVectors,
  vectorsFile,
  vectorsText,
} from '../../../../../test/make-vectors/tool-signature.ts';

const text = readFileSync(vectorsFile, 'utf8');
const { now, window_seconds, accepted, refused }: ToolSignatureVectors = JSON.parse(text);

/** A receiver written from the contract alone, with nothing of ours. */
function canonicalOf({ method, host, path, query, headers, body, body_base64 }: SignedRequest): string {
  const bytes = body === undefined ? Buffer.from(body_base64 ?? '', 'base64') : Buffer.from(body);
  const of = (name: string) => headers[`x-toolgate-${name}`] ?? '';
  const digest = createHash('sha256').update(bytes).digest('hex');
  const ids = [of('project-id'), of('integration-id'), of('member-id')];
  return ['v1', of('timestamp'), of('request-id'), method, host, path, query, digest, ...ids].join('\n');
}

function verdict(request: SignedRequest, secret: string): 'accepted' | 'missing' | 'window' | 'different' {
  const given = (request.headers['x-toolgate-signature'] ?? '').split(',').filter((entry) => entry.startsWith('v1='));
  if (given.length === 0) return 'missing';
  const right = `v1=${createHmac('sha256', secret).update(canonicalOf(request)).digest('hex')}`;
  if (!given.includes(right)) return 'different';
  const age = Math.abs(now - Number(request.headers['x-toolgate-timestamp']));
  return age > window_seconds ? 'window' : 'accepted';
}

test('vectors/tool-signature.json is what its script writes today', () => {
  assert.equal(text, vectorsText());
});

for (const { name, secret, request, canonical_string } of accepted) {
  test(`vector, ${name}: a receiver written from the contract accepts it`, () => {
    assert.equal(canonicalOf(request), canonical_string);
    assert.equal(verdict(request, secret), 'accepted');
  });
}

for (const { name, secret, request, reason } of refused) {
  test(`vector, ${name}: refused (${reason})`, () => {
    assert.equal(verdict(request, secret), reason);
  });
}
