// HMAC-SHA256 (RFC 2104) with a key that is made ready once and used for every call. node:crypto's own Hmac looks up and keys
// an engine each time, which costs more than the three hashes of a signature together.

import { hash } from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;
/** Room for a block and the usual text, at three bytes a character. */
const scratch = Buffer.alloc(BLOCK + 6 * 1024);

/** `text` → HMAC in hex. */
export type HmacKey = (text: string) => string;

export function hmacKey(secret: string): HmacKey {
  const bytes = Buffer.from(secret);
  const key = Buffer.alloc(BLOCK);
  (bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes).copy(key);
  const inner = Buffer.from(key.map((byte) => byte ^ 0x36));
  const outer = Buffer.concat([key.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST)]);
  return (text) => {
    outer.write(hash('sha256', withText(inner, text), 'binary'), BLOCK, 'latin1');
    return hash('sha256', outer);
  };
}

/** The block with the text behind it, in a buffer that the next call uses again. */
function withText(block: Buffer, text: string): Buffer {
  if (BLOCK + text.length * 3 > scratch.length) return Buffer.concat([block, Buffer.from(text)]);
  block.copy(scratch);
  return scratch.subarray(0, BLOCK + scratch.write(text, BLOCK));
}
