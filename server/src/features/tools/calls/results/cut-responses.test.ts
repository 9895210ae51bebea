// What detectors leave of a response that was cut, wherever that was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRule } from '../../../../shaping/compile.ts';
import { shapeResponse } from './shape-body.ts';

const user = `ada.${'lovelace'.repeat(7)}`;
const jwt = `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiJhZGEifQ'.repeat(5)}.c2lnbmF0dXJlCg`;

/** Each with text that is encoded, and of the longest that a detector knows. */
const values = {
  '@email': [
    'ada@example.com',
    `${user}@${'sub'.repeat(21)}.${'example'.repeat(9)}.com`,
    'ada%40example.com',
    'ada&#64;example.com',
    'ada\\u0040example.com',
  ],
  '@card': ['4111111111111111', '4111 1111 1111 1111', '3782-822463-10005', '4111&nbsp;1111&nbsp;1111&nbsp;1111'],
  '@iban': [
    'DE89370400440532013000',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'GB82%20WEST%201234%205698%207654%2032',
  ],
  '@token': [
    'ghp_abcdefghij0123456789',
    jwt,
    `Bearer ${jwt}`,
    `postgres://ada:${'secret-'.repeat(140)}@db.example.com/shop`,
    `https://ada:${'hunter2'.repeat(60)}@example.com/`,
    `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ\n'.repeat(20)}-----END PRIVATE KEY-----`,
  ],
} as const;

/** What would tell a person about the value. The words around it have none of it, and the host of a URL is no secret. */
const PART = 4;
const BEFORE = 'üß-ÖÄ; '.repeat(20);
const AFTER = 'üß-ÖÄ; '.repeat(120);
const isCommon = (part: string) => 'https:// @example.com/'.includes(part);

function partsOf(value: string): string[] {
  const parts = Array.from({ length: value.length - PART + 1 }, (_, at) => value.slice(at, at + PART));
  return parts.filter((part) => !isCommon(part));
}

type Cut = { bytes: Buffer; type: string };

const documents: Record<string, (value: string) => Cut> = {
  'a text': (value) => ({ bytes: Buffer.from(BEFORE + value + AFTER), type: 'text/plain' }),
  'a text that begins with it': (value) => ({
    bytes: Buffer.from(`${value} ${AFTER}`),
    type: 'text/plain',
  }),
  'a text in JSON': (value) => ({
    bytes: Buffer.from(JSON.stringify({ note: { text: BEFORE + value + AFTER } })),
    type: 'application/json',
  }),
  'a text in JSON after others': (value) => ({
    bytes: Buffer.from(JSON.stringify({ first: BEFORE, text: value, last: AFTER })),
    type: 'application/json',
  }),
  'a name in JSON': (value) => ({
    bytes: Buffer.from(JSON.stringify({ first: BEFORE, [value]: { last: AFTER } })),
    type: 'application/json',
  }),
};

for (const [detector, list] of Object.entries(values))
  for (const [place, make] of Object.entries(documents))
    test(`wherever ${place} is cut, nothing of what ${detector} finds is left`, () => {
      const rule = compileRule({ redact: [detector] });
      for (const value of list) {
        const { bytes, type } = make(value);
        const parts = partsOf(value);
        const begins = Math.max(0, bytes.indexOf(Buffer.from(JSON.stringify(value).slice(1, -1)).subarray(0, 8)));
        for (let end = begins; end <= Math.min(bytes.length, begins + value.length * 2 + 1_200); end += 1) {
          const shaped = shapeResponse(rule, { content_type: type, body: bytes.subarray(0, end), truncated: true });
          assert.equal(shaped.kind, 'shaped');
          const shown = Buffer.from((shaped as { body: Uint8Array }).body).toString();
          const left = parts.find((part) => shown.includes(part));
          assert.equal(left, undefined, `${end - begins} bytes of ${value.slice(0, 40)}`);
        }
      }
    });

test('a text that was cut keeps what comes before its last characters, and its marks whole', () => {
  const rule = compileRule({ redact: ['@card'] });
  const cut = (text: string) => {
    const shaped = shapeResponse(rule, { content_type: 'text/plain', body: Buffer.from(text), truncated: true });
    return Buffer.from((shaped as { body: Uint8Array }).body).toString();
  };
  const words = 'a '.repeat(500);
  assert.equal(cut(words), words.slice(0, -256));
  for (let after = 240; after < 270; after += 1)
    assert.match(cut(`${words}4111 1111 1111 1111${'b'.repeat(after)}`), /a ?(?:\[redacted\]b*)?$/);
  assert.equal(cut(`${'a'.repeat(9)}😀${'b'.repeat(255)}`), 'a'.repeat(9));
  assert.equal(cut('4111 1111'), '');
});

test('a budget cuts what is redacted, wherever a value is', () => {
  const rule = compileRule({ redact: ['@email'], max_tokens: 260 });
  for (let before = 960; before < 1_010; before += 1) {
    const text = `${'x'.repeat(before)} ada@example.com ${'y'.repeat(2_000)}`;
    for (const [type, body] of [
      ['text/plain', text],
      ['application/json', JSON.stringify({ text })],
    ] as const) {
      const shaped = shapeResponse(rule, { content_type: type, body: Buffer.from(body), truncated: false });
      const shown = Buffer.from((shaped as { body: Uint8Array }).body).toString();
      assert.equal(
        partsOf('ada@example.com').find((part) => shown.includes(part)),
        undefined,
        String(before),
      );
    }
  }
});
