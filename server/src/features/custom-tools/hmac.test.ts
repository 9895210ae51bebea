import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hmacKey } from './hmac.ts';

const expected = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

test('the HMAC is that of node:crypto, whatever the secret and the text', () => {
  const secret = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 60, maxLength: 140 }));
  fc.assert(
    fc.property(secret, fc.array(fc.string({ unit: 'grapheme' })), (secret, texts) => {
      const hmac = hmacKey(secret);
      // One key for many texts: nothing of one may be left in the next.
      for (const text of texts) assert.equal(hmac(text), expected(secret, text));
    }),
  );
});

test('texts around the size of the kept buffer, and secrets around the size of a block', () => {
  for (const length of [0, 1, 2046, 2047, 2048, 2049, 6143, 6144, 6145, 300_000])
    for (const character of ['a', 'é', '€'])
      assert.equal(hmacKey('secret')(character.repeat(length)), expected('secret', character.repeat(length)));
  for (const length of [0, 1, 63, 64, 65, 1000])
    assert.equal(hmacKey('k'.repeat(length))('text'), expected('k'.repeat(length), 'text'));
});
