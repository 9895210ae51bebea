import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shape, shapedValue } from '../../test/support/make/shape-document.ts';
import { generateCode } from '../engines/json-schema/generate-code.ts';
import { instantiate } from '../engines/json-schema/instantiate.ts';
import { projectOutput } from './compile.ts';

for (const [detector, text, expected] of [
  ['@email', 'write to ada.l+x@example.co.uk, or not', 'write to [redacted], or not'],
  ['@email', 'a@b and @c.de and jürgen@müller.de', 'a@b and @c.de and [redacted]'],
  ['@card', 'card 4111 1111 1111 1111 12-26', 'card [redacted] 12-26'],
  ['@card', '4111111111111112 378282246310005', '4111111111111112 [redacted]'],
  ['@card', '1700000000000 and 41111111111111111111111', '1700000000000 and 41111111111111111111111'],
  ['@iban', 'DE89 3704 0044 0532 0130 00 and gb82west12345698765432', '[redacted] and [redacted]'],
  ['@iban', 'DE89 3704 0044 0532 0130 01', 'DE89 3704 0044 0532 0130 01'],
  ['@card', '12 4111-1111-1111-1111 4222222222222 4111 1111 1111 1111', '12 [redacted] [redacted] [redacted]'],
  ['@card', '4111  1111 1111 1111 and 4111-1111-1111-1111-', '4111  1111 1111 1111 and [redacted]-'],
  ['@card', '4111.1111.1111.1111 and 3782.822463.10005', '[redacted] and [redacted]'],
  ['@card', '4111\u00a01111\u00a01111\u00a01111 or 4111\u202f1111\u20091111\u20101111', '[redacted] or [redacted]'],
  ['@card', '4111\u200b1111\u200b1111\u200b1111', '[redacted]'],
  ['@card', '41\u00ad11 1111 \u20601111\ufeff 1111', '[redacted]'],
  ['@card', '４１１１ １１１１ １１１１ １１１１ and ٤١١١١١١١١١١١١١١١', '[redacted] and [redacted]'],
  ['@card', 'card=4111%201111%C2%A01111%201111&x=1', 'card=[redacted]&x=1'],
  ['@card', '<td>4111&nbsp;1111&#160;1111&#xA0;1111</td>', '<td>[redacted]</td>'],
  ['@iban', 'DE89.3704.0044.0532.0130.00', '[redacted]'],
  ['@iban', 'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', '[redacted]'],
  ['@iban', 'iban=DE89%20370400440532013000', 'iban=[redacted]'],
  ['@email', 'mailto:ada%40example.com', 'mailto:[redacted]'],
  ['@email', 'to=ada%2540example%252Ecom;', '[redacted];'],
  [
    '@email',
    '<a>ada&#64;example.com, ada&#x40;example.com, ada&commat;example&period;com</a>',
    '<a>[redacted], [redacted], [redacted]</a>',
  ],
  ['@email', 'ada&amp;#64;example.com', '[redacted]'],
  ['@email', 'ada%26%2364%3Bexample.com', '[redacted]'],
  ['@email', '{"to":"ada\\u0040example.com"}', '{"to":"[redacted]"}'],
  ['@email', '"{\\"to\\":\\"ada\\\\u0040example.com\\"}"', '"{\\"to\\":\\"[redacted]\\"}"'],
  ['@email', 'ada＠example.com, ada\u200b@exam\u00adple.com, ada@example。com', '[redacted], [redacted], [redacted]'],
  ['@token', 'dsn=postgres%3A%2F%2Fada%3Asecret%40db.example.com%2Fshop', 'dsn=[redacted]'],
  ['@token', 'gh\u200bp_abcdefghij0123456789', '[redacted]'],
  ['@token', 'https://ada:secret@example.com/x', 'https://[redacted]@example.com/x'],
  ['@token', 'Basic dXNlcjpwYXNz and Bearer abc', 'Basic [redacted] and [redacted]'],
  ['@token', 'abc8Q~abcdefghijklmnopqrstuvwx', '[redacted]'],
  ['@token', 'ABCDEFGHIJKLMN.atlasv1.abcdefghijklmnopqrstuvwx', '[redacted]'],
  ['@token', 'log\\nghp_abcdefghij0123456789', 'log\\n[redacted]'],
  ['@token', 'key ghp_abcdefghij0123456789 end', 'key [redacted] end'],
  ['@token', 'AKIAABCDEFGHIJKLMNOP', '[redacted]'],
  ['@token', 'glpat-abcdefghijklmnop', '[redacted]'],
  ['@token', 'sk-abcdefghijklmnopqrstuvwx', '[redacted]'],
  ['@token', 'xoxb-abcdefghijklmnop', '[redacted]'],
  ['@token', 'hvs.abcdefghijklmnopqrst', '[redacted]'],
] as const)
  test(`${detector} in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(shapedValue({ [text]: [text] }, { redact: [detector] }), { [expected]: [expected] });
  });

test('detectors see through escapes, and names that become the same are kept apart', () => {
  const text = '{"a\\u0040b.cd":1,"c@d.ef":2,"x":"a\\u0040b.cd"}';
  assert.deepEqual(shapedValue(text, { redact: ['@email'] }), {
    '[redacted]': 1,
    '[redacted] (2)': 2,
    x: '[redacted]',
  });
});

const ALL = ['@email', '@card', '@iban', '@token'];

for (const text of [
  'v1.2.3.4, 192.168.178.254, 2001:db8::4111:1111:1111:1111',
  '2026-01-01T00:00:00.000Z and 1700000000000',
  '4012.88888888 1881.1234 5105105105.105100',
  '411.1111.1111.11111 and 4111..1111.1111.1111',
  '4111.1111 1111.1111 and 4111.1111-1111.1111',
  '+49 (30) 4111-1111 and 0800 4111 1111',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  '50%20off, 100% sure, a%zz, Tom &amp; Jerry &lt;b&gt;',
  'C:\\users\\ada \\u00zz \\x4',
  '❤️ 👩‍👩‍👧 10 000 € — Съешь же 我能吞下玻璃。',
  '@decorator and user@localhost and a %40 b',
])
  test(`nothing is found in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(shapedValue({ [text]: [text] }, { redact: ALL }), { [text]: [text] });
  });

test('a card number is replaced where it is a number of JSON, however it is written', () => {
  const card = (json: string) => (shape(`{"a":[${json}]}`, { redact: ['@card'] }) as any).text;
  for (const json of [
    '4111111111111111',
    '4111111111111111.0',
    '4111111111111111.25',
    '4.111111111111111e15',
    '0.4111111111111111E+16',
    '41111111111111110e-1',
    '378282246310005',
  ])
    assert.equal(card(json), '{"a":["[redacted]"]}', json);
  for (const json of [
    '4111111111111112',
    '1700000000000',
    '12345678901234567890',
    '4.111111111111112e15',
    '4111111111111.111',
    '0.4111111111111111',
    '41111111111111111111111111',
    '-4111111111111111',
    'false',
  ])
    assert.equal(card(json), `{"a":[${json}]}`, json);
  assert.equal((shape('{"a":4111111111111111}', { redact: ['@email'] }) as any).text, '{"a":4111111111111111}');
});

test('a card number is not given as the cursor of the next page, as a text or as a number', () => {
  const next_page = { cursor: 'next', argument: 'cursor' };
  for (const next of [4111111111111111, '4111111111111111'])
    assert.equal((shape({ next }, { select: [], redact: ['@card'], next_page }) as any).truncation, null);
});

test('the projected schema allows a text for each number that may be that of a card', () => {
  const values = { id: 4111111111111111, code: 378282246310005, small: 7, fixed: 1, price: 1.5 };
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: 1 },
      code: { enum: [378282246310005, 5] },
      small: { type: 'integer', maximum: 1_000 },
      fixed: { const: 1 },
      price: { type: ['number', 'null'] },
    },
    required: ['id', 'code', 'small', 'fixed', 'price'],
  };
  const projected: any = projectOutput(schema, { redact: ['@card'] });
  assert.deepEqual(projected.properties, {
    id: { type: ['integer', 'string'], minimum: 1 },
    code: {},
    small: { type: 'integer', maximum: 1_000 },
    fixed: { const: 1 },
    price: { type: ['number', 'null', 'string'] },
  });
  const code = generateCode(projected, 'first');
  assert.ok('code' in code);
  assert.equal(instantiate(code.code)(shapedValue(values, { redact: ['@card'] })), null);
  assert.deepEqual((projectOutput(schema, { redact: ['@email'] }) as any).properties.id, schema.properties.id);
});

test('a detector takes time in proportion to the text', () => {
  const pieces = ['a', '@', 'a@', '1', '1 ', '4-', '4.', '40-', 'DE00', 'DE00 ', 'a.', '-'];
  const encoded = ['%', '%25', '25', '%40', '&', '&amp;', 'amp;', '&#0', '\\', '\\u', '\\u0040', '\u200b', '\u00a0'];
  for (const piece of [...pieces, ...encoded]) shapedValue({ text: piece.repeat(200_000) }, { redact: ALL });
});
