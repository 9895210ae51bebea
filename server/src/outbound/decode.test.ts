import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { decode, type Encoding, isKnownEncoding } from './decode.ts';

const packers: Record<Encoding, (plain: Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};

for (const [encoding, pack] of Object.entries(packers) as [Encoding, (plain: Buffer) => Buffer][]) {
  test(`${encoding}: a body within the cap comes out whole`, async () => {
    const plain = Buffer.from('the plain text '.repeat(1_000));
    assert.deepEqual(await decode(pack(plain), encoding, plain.length, false), { body: plain, truncated: false });
  });

  test(`${encoding}: a bomb is cut at the cap`, async () => {
    const { body, truncated } = await decode(pack(Buffer.alloc(32 << 20, ' ')), encoding, 100_000, false);
    assert.deepEqual([body.length, truncated], [100_000, true]);
  });

  test(`${encoding}: bytes that are not ${encoding} are an error`, async () => {
    await assert.rejects(decode(Buffer.from('this is not packed at all, not in any way'), encoding, 1_000, false));
  });

  test(`${encoding}: a packed body without its end is an error, unless it was us who cut it`, async () => {
    const packed = pack(Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index % 251) ^ (index >> 7))));
    const half = packed.subarray(0, packed.length >> 1);
    await assert.rejects(decode(half, encoding, 1 << 20, false));
    const { body, truncated } = await decode(half, encoding, 1 << 20, true);
    assert.ok(body.length > 0 && body.length < 20_000 && truncated);
  });
}

test('other encodings, and names every object has, are unknown', () => {
  for (const name of ['zstd', 'compress', 'gzip, gzip', 'toString', '__proto__', ''])
    assert.equal(isKnownEncoding(name), false);
});
