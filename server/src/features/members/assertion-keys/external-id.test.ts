import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExternalId } from './external-id.ts';

test('any text of 1 to 255 printable characters that is not blank is an external id', () => {
  for (const id of ['a', 'alice@example.com', '0', ' a ', 'Zoë 🐝', 'x'.repeat(255), '../..', "' OR 1=1"]) {
    assert.equal(isExternalId(id), true, JSON.stringify(id));
  }
});

test('blank, too long, unprintable or malformed text and other types are no external id', () => {
  const wrong = ['', ' ', '\u3000', '\ufeff', 'x'.repeat(256), 'a\0b', 'a\nb', '\x7f', '\x85', 'a\ud800', '\udc00a'];
  for (const id of [...wrong, undefined, null, 42, 0, true, {}, { id: 1 }, ['a']]) {
    assert.equal(isExternalId(id), false, JSON.stringify(id));
  }
});
