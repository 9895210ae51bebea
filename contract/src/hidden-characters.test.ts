import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasHidden, hiddenIn, withoutHidden } from './hidden-characters.ts';

const hidden: [title: string, text: string][] = [
  ['a right-to-left override', 'a\u202Eb'],
  ['a zero-width space', 'a\u200Bb'],
  ['a soft hyphen', 'a\u00ADb'],
  ['a byte order mark inside', 'a\uFEFFb'],
  ['a combining grapheme joiner', 'a\u034Fb'],
  ['a Mongolian variation selector after Latin', 'a\u180Bb'],
  ['a variation selector after Latin', 'a\uFE00b'],
  ['an emoji selector after Latin', 'a\uFE0Fb'],
  ['an emoji selector after a digit that is no keycap', '1\uFE0F2'],
  ['a second selector after an emoji', '❤\uFE0F\uFE0F'],
  ['a selector of the second block', 'a\u{E0101}b'],
  ['tags that spell a text', '\u{1F600}\u{E0069}\u{E0067}\u{E006E}'],
  [
    'tags after a flag that spell more than a region',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E007F}',
  ],
  ['a joiner between Latin letters', 'a\u200Db'],
  ['a joiner after Arabic with nothing to join', 'م\u200D!'],
  ['a Hangul filler', 'a\u3164b'],
  ['a blank Braille pattern', 'a\u2800b'],
  ['a character of private use', 'a\uE000b'],
  ['a NUL', 'a\0b'],
  ['a line separator', 'a\u2028b'],
];

for (const [title, text] of hidden)
  test(`${title} is hidden`, () => {
    assert.ok(hasHidden(text));
    assert.ok(hiddenIn(text).length > 0);
    assert.equal(hasHidden(withoutHidden(text)), false);
  });

const seen: [title: string, text: string][] = [
  ['line breaks and tabs', 'a\r\n\tb'],
  ['emoji with a selector, a modifier, joiners', 'I ❤️ it 👍🏽 👩‍💻 👩🏽‍🚀 🏳️‍🌈 ☎︎'],
  ['keycaps', '1️⃣ #️⃣ *️⃣'],
  ['flags', '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['Persian with a non-joiner', 'می\u200Cخواهم'],
  ['Hindi with joiners', 'क्\u200Dष र्\u200Cय'],
  ['Han with a variant', '葛\u{E0100}城'],
  ['Mongolian with a variant', 'ᠠ\u180Bᠭ'],
  ['accents, Chinese, Arabic, Hebrew and Thai', 'Café Łódź 订单 طلب הזמנה คำสั่ง'],
  ['a word joiner of nothing: combining marks', 'e\u0301'],
];

for (const [title, text] of seen)
  test(`nothing is hidden in text with ${title}`, () => {
    assert.deepEqual(hiddenIn(text), []);
    assert.equal(withoutHidden(text), text);
  });

test('each hidden character is found where it is', () => {
  assert.deepEqual(hiddenIn('a\u200B\u{E0041}b'), [
    { index: 1, text: '\u200B' },
    { index: 2, text: '\u{E0041}' },
  ]);
});
