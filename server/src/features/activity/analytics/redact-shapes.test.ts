// No shape of a credential is kept, and ordinary data stays as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  forms,
  inText,
  names,
  SECRET,
  type Shape,
  structures,
} from '../../../../test/support/make/redaction-shapes.ts';
import { redactPayload } from './redact-payload.ts';

const KIB = 1024;
function check([shape, payload, kept, hidden = SECRET]: Shape, fields: string[] = []): void {
  const given = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const { text } = redactPayload(given, fields, 16 * KIB);
  assert.ok(given.includes(hidden), `${shape}: the shape does not have its secret`);
  assert.ok(!text.includes(hidden), `${shape}: ${text}`);
  if (kept !== undefined) assert.ok(text.includes(kept), `${shape} loses ${kept}: ${text}`);
  if (typeof payload !== 'string') JSON.parse(text);
}

for (const [title, shapes] of Object.entries({ names, structures, 'text inside of payloads': inText, forms }))
  test(`a credential is not kept: ${title}`, () => {
    for (const shape of shapes) check(shape);
  });

test('a payload that is cut at any place shows no beginning of a credential', () => {
  // What says that it is one comes after it.
  const later = ['a value before its name', 'a sentence'];
  for (const [shape, payload, , hidden] of [...names, ...structures, ...inText]) {
    if (hidden !== undefined || later.includes(shape)) continue;
    const given = typeof payload === 'string' ? payload : JSON.stringify(payload);
    for (let end = 0; end <= given.length; end += 1) {
      const { text } = redactPayload(given.slice(0, end), [], 16 * KIB);
      assert.ok(!text.includes(SECRET.slice(0, 4)), `${shape}: ${text}`);
    }
  }
});

test('a value before the limit is not kept if its name is behind the limit', () => {
  const filler = 'x'.repeat(4 * KIB);
  for (const [payload, kept] of [
    [{ value: SECRET, filler, name: 'password' }, 'filler'],
    [[{ a: { content: SECRET, filler: [filler], key: 'api_key' } }], 'filler'],
    [{ jwk: { d: SECRET, x5c: [filler], kty: 'EC' } }, 'x5c'],
  ] as const) {
    const { text, is_cut } = redactPayload(JSON.stringify(payload), [], KIB);
    assert.ok(is_cut && text.includes(kept) && !text.includes(SECRET), text.slice(0, 100));
  }
  const harmless = redactPayload(JSON.stringify({ value: SECRET, filler, name: 'city' }), [], KIB);
  assert.ok(harmless.text.includes(SECRET));
});

test('the table has at least 94 shapes', () => {
  assert.ok(names.length + structures.length + inText.length + forms.length >= 94);
});

test('a field that the project names is replaced in every kind of text, at any depth', () => {
  const shapes: Shape[] = [
    ['JSON', { a: [{ deep: { dateOfBirth: SECRET } }] }],
    ['an object', { DateOfBirth: { x: [SECRET] }, note: 'kept' }, 'kept'],
    ['JSON in a string', { body: JSON.stringify({ a: { date_of_birth: SECRET } }) }],
    ['JSON after words', `sent {"x":"kept","date_of_birth":"${SECRET}"}`, 'kept'],
    ['a form', `a=kept&date_of_birth=${SECRET}&b=1`, 'kept'],
    ['a nested form', `person[date_of_birth]=${SECRET}&b=kept`, 'kept'],
    ['XML', `<p:dateOfBirth>${SECRET}</p:dateOfBirth><x>kept</x>`, 'kept'],
    ['an attribute', `<person date-of-birth="${SECRET}" name="kept"/>`, 'kept'],
    ['YAML', `person:\n  date_of_birth:\n    - ${SECRET}\n  name: kept`, 'kept'],
    ['a line of a log', `name=kept date_of_birth=${SECRET} x=1`, 'kept'],
    ['words', `Date of birth: ${SECRET}\nname: kept`, 'kept'],
    ['a number', { date_of_birth: 19900101 }, undefined, '19900101'],
    ['a literal in text', 'date_of_birth: true', undefined, 'true'],
  ];
  for (const shape of shapes) check(shape, ['date_of_birth']);
});

/** Whatever begins a shape and does not end it. A search that starts again at each would take hours for these. */
const beginnings = [
  ...[
    ':',
    'a=',
    'password:',
    'password:\n',
    'password:"',
    'password:{',
    'pin:{',
    '\\"',
    '"',
    "'password':'",
    '%3D',
    'a%3Db%26',
  ],
  ...[
    '<',
    '<password>',
    '<password> ',
    '<a b="',
    '&lt;a',
    '<input name=password value=',
    'form-data; name="password"\r\n',
  ],
  ...[
    'postgres://',
    'sk-',
    'basic ',
    'basic+',
    'bearer ',
    '-----BEGIN ',
    'eyJ',
    'M-',
    '$pbkdf2-',
    'pscale_',
    '--password ',
    '-u a',
  ],
  ...[
    '[',
    '{"a":',
    '["password: x",',
    'key: ',
    'a key ',
    'password=a; b ',
    'password: a\n b\n',
    "password '",
    'password is ',
  ],
];

test('the time to redact grows no faster than the payload', { timeout: 300_000 }, () => {
  for (const beginning of beginnings)
    redactPayload(beginning.repeat((256 * KIB) / beginning.length), ['date_of_birth'], 256 * KIB);
});

test('ordinary data stays as it is', () => {
  const ordinary: unknown[] = [
    {
      session_count: 5,
      session_started_at: 'x',
      signature_algorithm: 'ES256',
      bypass_wordlist: 'x',
      word_pass_rate: 1,
    },
    { signature: { parameters: ['a'], returns: 'b' }, user_id: 'usr_1', ids: ['a'] },
    { token_count: 5, max_tokens: 4096, usage: { prompt_tokens: 123456, total_tokens: 1234567 } },
    { token_type: 'Bearer', expires_in: 3600, token_endpoint: 'https://x.example/token' },
    { nextPageToken: 'CAUQAA', continuation_token: 'abc', next_token: 'x' },
    { author: 'Ann', authored: true, authority: 'city', authentication_method: 'password', auth_type: 'basic' },
    { passport_country: 'DE', passenger: 'Bob', compass: 'N', passed: 12, pass: true, boarding_pass: 'A12' },
    { secretary: 'Ann', secretion: 'x', is_secret: true, secret_name: 'db', password_changed_at: '2026-01-01' },
    {
      key: 'abc',
      primary_key: 'id',
      sort_key: 'b',
      public_key: 'x',
      keyboard: 'de',
      monkey: 'x',
      idempotency_key: 'k',
    },
    { pin: true, pins: [{ id: 1 }], spin: 'up', opinion: 'x', zip_code: '12345', country_code: 'DE', error_code: 'E1' },
    { cookies_enabled: true, cookie_policy: 'strict', password: null, api_key: false },
    { session_state: 'ses_1', access: 'read', tokenizer: 'bpe', tokens: 'many', tokens_used: 12 },
    { note: 'The password is required. Reset your password, then sign in.' },
    { note: 'Basic information about Bearer tokens and basic authentication' },
    { note: 'risk-averse task-based desk-sharing-arrangement, ask-me-anything-about-it' },
    { time: '12:30', url: 'https://example.com/a?page=2&sort=name#top', email: 'bob@example.com' },
    { html: '<p class="x">Hello <b>world</b></p>', math: 'a = b, c: d', ratio: '16:9' },
    { yaml: 'kind: Pod\nmetadata:\n  name: x\n', csv: 'a,b\n1,2', json: '{ "a": [1, 2] }\n' },
    { pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' },
    { fields: ['password', 'email'], required: ['username', 'password', 'token'] },
    'Usage: login <user> <password> now',
    'plain text: nothing to see here, 5 = five',
    'name=bob&page=2',
    '[INFO] started in 5 ms',
  ];
  for (const each of ordinary) {
    const given = typeof each === 'string' ? each : JSON.stringify(each);
    assert.equal(redactPayload(given, [], 16 * KIB).text, given);
  }
});
