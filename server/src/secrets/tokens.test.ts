import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashToken, isWellFormed, makeToken, randomSecret, sameBytes, tokenLast4, tokenPrefix } from './tokens.ts';

const prefixes = ['svc_live_', 'svc_test_', 'svc_mst_'] as const;

// Made with Python's zlib.crc32; the last one has a small CRC, so its checksum starts with zeros.
const vectors = [
  'svc_live_0000000000000000000000000000000tOftK',
  'svc_test_abcdefghijklmnopqrstuvwxyz01230qQNRX',
  'svc_mst_ABCDEFGHIJKLMNOPQRSTUVWXYZ45670w0z38',
  'svc_live_dDnNPR5eReJN4J1ITEDNPx4cizixJI000Ml8',
];

for (const vector of vectors) {
  test(`the checksum of ${vector} is right`, () => assert.ok(isWellFormed(vector, prefixes)));
}

test('every new token is well formed, matches the secret scanners and is unique', () => {
  const made = prefixes.flatMap((prefix) => Array.from({ length: 200 }, () => makeToken(prefix)));
  for (const token of made) {
    assert.match(token, /^svc_(live|test|mst)_[0-9A-Za-z]{36}$/);
    assert.ok(isWellFormed(token, prefixes));
  }
  assert.equal(new Set(made).size, made.length);
});

test('a token of another kind is not well formed here', () => {
  assert.equal(isWellFormed(makeToken('svc_mst_'), ['svc_live_', 'svc_test_']), false);
});

test('a change of any character of a token is detected', () => {
  const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
  const position = fc.nat({ max: 44 });
  fc.assert(
    fc.property(position, character, (at, other) => {
      const token = makeToken('svc_live_');
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      assert.equal(isWellFormed(changed, prefixes), changed === token);
    }),
    { numRuns: 2_000 },
  );
});

test('a token with added or missing text is not well formed', () => {
  const token = makeToken('svc_test_');
  for (const text of ['', 'svc_test_', ` ${token}`, `${token} `, `${token}\n`, token.slice(0, -1), `${token}0`]) {
    assert.equal(isWellFormed(text, prefixes), false);
  }
});

test('a token is stored as its SHA-256', () => {
  const token = vectors[0] as string;
  assert.deepEqual(hashToken(token), createHash('sha256').update(token, 'ascii').digest());
});

test('bytes are equal only if length and content are', () => {
  assert.ok(sameBytes(Buffer.from('abc'), Buffer.from('abc')));
  assert.ok(!sameBytes(Buffer.from('abc'), Buffer.from('abd')));
  assert.ok(!sameBytes(Buffer.from('abc'), Buffer.from('ab')));
});

test('a list shows the first 12 and the last 4 characters of a token', () => {
  assert.equal(tokenPrefix('svc_test_abcdefghijklmnopqrstuvwxyz01230qQNRX'), 'svc_test_abc');
  assert.equal(tokenLast4('svc_test_abcdefghijklmnopqrstuvwxyz01230qQNRX'), 'QNRX');
});

test('a random secret has as many bytes as asked for', () => {
  assert.equal(Buffer.from(randomSecret(24), 'base64url').length, 24);
  assert.notEqual(randomSecret(24), randomSecret(24));
});
