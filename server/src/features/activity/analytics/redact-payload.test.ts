import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../../../test/support/property-seed.ts';
import { redactPayload } from './redact-payload.ts';

useSeed();

const KIB = 1024;
const redact = (value: unknown, fields: string[] = []) =>
  JSON.parse(redactPayload(JSON.stringify(value), fields, 16 * KIB).text);

test('a named field is replaced at any depth, whatever its value is, and no other', () => {
  const given = { iban: 'DE1', a: [{ IBAN: { deep: ['x', { y: 1 }] }, kept: 1 }, { b: { iban: 5 } }], other: 'iban' };
  assert.deepEqual(redact(given, ['iban']), {
    iban: '[redacted]',
    a: [{ IBAN: '[redacted]', kept: 1 }, { b: { iban: '[redacted]' } }],
    other: 'iban',
  });
});

test('a field is found however its name is escaped or spaced', () => {
  const { text } = redactPayload('{ "i\\u0062an" \n:\t "DE1" , "x":1}', ['iban'], KIB);
  assert.doesNotMatch(text, /DE1/);
  assert.equal(JSON.parse(text).x, 1);
});

test('text that looks like a credential is replaced, in values and in names', () => {
  const given = {
    note: 'use svc_live_abcdefghijklmnop please',
    list: ['whsec_abcdef', 'Bearer abc.def'],
    eyJhbGciOiJIUzI1NiJ9: 1,
  };
  const text = JSON.stringify(redact(given));
  assert.doesNotMatch(text, /svc_live_a|whsec_a|abc\.def|eyJhbGci/);
  assert.match(text, /use \[secret\] please/);
});

test('a text field that is a credential by its name is replaced; a number of that name is kept', () => {
  assert.deepEqual(redact({ password: 'hunter2', api_key: 'k', access_token: 't', token: 5, tokens: 'many' }), {
    password: '[redacted]',
    api_key: '[redacted]',
    access_token: '[redacted]',
    token: 5,
    tokens: 'many',
  });
});

test('text that is not JSON is redacted too', () => {
  assert.deepEqual(redactPayload('key svc_test_abcdefgh, done', [], KIB), {
    text: 'key [secret], done',
    is_cut: false,
  });
});

test('JSON that is cut at any place shows nothing of a named field', () => {
  const whole = JSON.stringify({ a: 1, iban: { x: ['DEEP', 'DEEP'] }, b: [{ iban: 'DEEP' }], password: 'DEEP' });
  for (let end = 0; end <= whole.length; end += 1)
    assert.doesNotMatch(redactPayload(whole.slice(0, end), ['iban'], KIB).text, /DE/, whole.slice(0, end));
});

test('what is kept is never longer than the limit', () => {
  const { text, is_cut } = redactPayload(JSON.stringify({ long: 'é'.repeat(20 * KIB) }), [], 16 * KIB);
  assert.deepEqual([text.length, is_cut], [16 * KIB, true]);
});

test('any JSON stays the same JSON when nothing is to be redacted', () => {
  // No word of these letters is the name of a credential. Random letters spell one, such as "pw" or "pin", now and then.
  const plain = fc.jsonValue({ stringUnit: fc.constantFrom(...'abz019 \\"/{}[],:=<>&%-_.~\n\u0000\u2028é😀') });
  fc.assert(
    fc.property(plain, (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(JSON.parse(redactPayload(text, [], 100 * KIB).text), JSON.parse(text));
    }),
  );
});
