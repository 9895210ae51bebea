import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactSecrets, secretForms } from './redact-secrets.ts';

const secret = 'p4ss/w"ord+é?';

function redact(text: string, truncated = false, forms = secretForms(secret)): string {
  const body = Buffer.from(text);
  redactSecrets(body, truncated, forms);
  return body.toString();
}

for (const [form, text] of Object.entries({
  'as it is': `Authorization: Bearer ${secret}.`,
  twice: `${secret} and ${secret}`,
  'in JSON': JSON.stringify({ authorization: `Bearer ${secret}` }),
  'in JSON with escaped slashes': JSON.stringify({ a: secret }).replaceAll('/', '\\/'),
  'percent-encoded': `?key=${encodeURIComponent(secret)}&b=1`,
  'in Basic credentials': `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`,
  'in base64 after one byte': Buffer.from(`a${secret} and more`).toString('base64'),
  'in base64 after two bytes': Buffer.from(`ab${secret} and more`).toString('base64'),
  'in base64url': Buffer.from(`abc${secret}`).toString('base64url'),
})) {
  test(`a secret is redacted ${form}`, () => {
    const shown = redact(text);
    assert.match(shown, /\*{6}/);
    assert.equal(Buffer.byteLength(shown), Buffer.byteLength(text));
    for (const given of secretForms(secret)) assert.ok(!shown.includes(given.toString()));
    const decoded = Buffer.from(shown.replaceAll('*', 'A').split(' ').at(-1) ?? '', 'base64').toString();
    assert.ok(!decoded.includes('w"ord'));
  });
}

test('the text around a secret stays, and so does text without one', () => {
  assert.equal(redact(`key ${secret}!`), `key ${'*'.repeat(Buffer.byteLength(secret))}!`);
  assert.equal(redact('{"password":"another"}'), '{"password":"another"}');
});

test('JSON stays valid JSON', () => {
  assert.equal(typeof JSON.parse(redact(JSON.stringify({ echo: [secret] }))).echo[0], 'string');
});

test('a truncated body does not end with the beginning of a secret', () => {
  assert.equal(redact('key p4ss/w', true), `key ${'*'.repeat(6)}`);
  assert.equal(redact('key p4ss/w', false), 'key p4ss/w');
});

test('a secret of a few characters is not searched for, because it would be found by chance', () => {
  for (const short of ['', 'a', 'true']) assert.deepEqual(secretForms(short), []);
});
