import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../test/support/property-seed.ts';
import { checkOrigin } from './address-guard.ts';
import { isPublicAddress } from './address-ranges.ts';

useSeed();

describe('no address that is not public passes in any spelling', () => {
  const isRefused = (host: string) => {
    for (const text of [`https://${host}`, `https://${host}:8443/`]) {
      assert.ok('problem' in checkOrigin(text, []), text);
    }
  };
  const inRange = (base: number, bits: number) =>
    fc.nat({ max: 2 ** (32 - bits) - 1 }).map((offset) => (base + offset) >>> 0);
  const privateV4 = fc.oneof(
    inRange(0x00000000, 8),
    inRange(0x0a000000, 8),
    inRange(0x64400000, 10),
    inRange(0x7f000000, 8),
    inRange(0xa9fe0000, 16),
    inRange(0xac100000, 12),
    inRange(0xc0a80000, 16),
    inRange(0xc6120000, 15),
    inRange(0xe0000000, 3),
  );

  test('IPv4: dotted, decimal, octal, hexadecimal, short, full-width, circled, inside IPv6', () => {
    fc.assert(
      fc.property(privateV4, (value) => {
        const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
        const dotted = bytes.join('.');
        const [a, b, c, d] = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
        const wide = [...dotted]
          .map((char) => (char === '.' ? '。' : String.fromCodePoint(0xff10 + Number(char))))
          .join('');
        for (const host of [
          dotted,
          `${dotted}.`,
          String(value),
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
          bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
          bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
          `${bytes[0]}.${value & 0xffffff}`,
          `${bytes[0]}.${bytes[1]}.${value & 0xffff}`,
          wide,
          `[::ffff:${dotted}]`,
          `[::${dotted}]`,
          `[::ffff:${a}${b}:${c}${d}]`,
          `[64:ff9b::${a}${b}:${c}${d}]`,
          `[2002:${a}${b}:${c}${d}::1]`,
          `[2001:0:${a}${b}:${c}${d}::1]`,
        ]) {
          isRefused(host);
        }
      }),
    );
  });

  test('IPv6: any address outside 2000::/3, and the special blocks inside it', () => {
    const word = fc.nat({ max: 0xffff });
    const outside = word.filter((first) => (first & 0xe000) !== 0x2000).map((first) => [first]);
    const special = fc.oneof(
      fc.constant([0x2002]),
      fc.constant([0x2001, 0x0db8]),
      fc.nat({ max: 0x1ff }).map((second) => [0x2001, second]),
      fc.nat({ max: 0x0fff }).map((second) => [0x3fff, second]),
    );
    fc.assert(
      fc.property(fc.oneof(outside, special), fc.array(word, { minLength: 8, maxLength: 8 }), (head, tail) => {
        const text = [...head, ...tail]
          .slice(0, 8)
          .map((part) => part.toString(16))
          .join(':');
        assert.equal(isPublicAddress(text), false, text);
        isRefused(`[${text}]`);
        isRefused(`[${text.toUpperCase()}]`);
      }),
    );
  });
});
