import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispositionOf, parseRange } from './send-file.ts';

const ranges: [string | undefined, ReturnType<typeof parseRange>][] = [
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['bytes=8-', { first: 8, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=4-900', { first: 4, last: 9 }],
  ['BYTES= 4-5 ', { first: 4, last: 5 }],
  [undefined, null],
  ['bytes=', null],
  ['bytes=-', null],
  ['bytes=5-2', null],
  ['bytes=0-1,4-5', null],
  ['lines=0-1', null],
  ['bytes=a-b', null],
  ['bytes=+1-2', null],
];

for (const [header, range] of ranges)
  test(`of 10 bytes, ${header} is ${JSON.stringify(range)}`, () => assert.deepEqual(parseRange(header, 10), range));

for (const [header, size] of [
  ['bytes=10-', 10],
  ['bytes=10-12', 10],
  ['bytes=-0', 10],
  ['bytes=999999999999999-', 10],
  ['bytes=0-', 0],
  ['bytes=-1', 0],
] as const)
  test(`of ${size} bytes, ${header} cannot be satisfied`, () =>
    assert.throws(() => parseRange(header, size), {
      code: 'RANGE_NOT_SATISFIABLE',
      headers: { 'content-range': `bytes */${size}` },
    }));

test('no name of a file adds anything to the header that states it', () => {
  const names = ['a".html', 'a\\"', "a'b.pdf", 'Ä\u{1f600}.pdf', '100%41.pdf', 'a\r\nx: y', 'a;b=c'];
  for (const name of names) {
    const [, plain, encoded = ''] =
      /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w.%!~-]+)$/.exec(dispositionOf(name)) ?? [];
    assert.ok(plain !== undefined && !/["\\%\r\n]/.test(plain), dispositionOf(name));
    assert.equal(decodeURIComponent(encoded), name);
  }
});
