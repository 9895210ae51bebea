// Unpacks a body that came packed although we asked for none, and never unpacks more than the cap: a bomb ends there.

import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
const flushes = { gzip: constants.Z_SYNC_FLUSH, deflate: constants.Z_SYNC_FLUSH, br: constants.BROTLI_OPERATION_FLUSH };

export type Encoding = keyof typeof decoders;

export function isKnownEncoding(name: string): name is Encoding {
  return Object.hasOwn(decoders, name);
}

/** `is_cut`: we stopped reading, so the packed body has no proper end; what is there counts. Otherwise that is an error. */
export async function decode(
  packed: Buffer,
  encoding: Encoding,
  max_bytes: number,
  is_cut: boolean,
): Promise<{ body: Buffer; truncated: boolean }> {
  const decoder = decoders[encoding](is_cut ? { finishFlush: flushes[encoding] } : {});
  decoder.end(packed);
  const parts: Buffer[] = [];
  let left = max_bytes;
  // Leaving the loop destroys the decoder.
  for await (const part of decoder as AsyncIterable<Buffer>) {
    if (part.length > left) {
      parts.push(part.subarray(0, left));
      return { body: Buffer.concat(parts), truncated: true };
    }
    parts.push(part);
    left -= part.length;
  }
  return { body: Buffer.concat(parts), truncated: is_cut };
}
