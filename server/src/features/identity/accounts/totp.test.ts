import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchTotp, totpCode } from './totp.ts';

/** The secret of RFC 6238, appendix B, in base32; the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

for (const [seconds, code] of [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const) {
  test(`at ${seconds} s the code is ${code}, as in RFC 6238`, () => {
    assert.equal(totpCode(SECRET, Math.floor(seconds / 30)), code);
    assert.equal(matchTotp(SECRET, code, seconds * 1000, null), Math.floor(seconds / 30));
  });
}

test('a code of another length never matches', () => {
  for (const code of ['', '28708', '2870822', '287082 ', '２８７０８２'])
    assert.equal(matchTotp(SECRET, code, 59_000, null), null, code);
});

test('a code whose step was used does not match again', () => {
  assert.equal(matchTotp(SECRET, '287082', 59_000, 0), 1);
  assert.equal(matchTotp(SECRET, '287082', 59_000, 1), null);
});
