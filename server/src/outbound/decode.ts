// Unpacks a body that came packed although we asked for none, and never unpacks more than the cap: a bomb ends there.

import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

// A packed body that was cut at the cap has no proper end; flushing gives what is there instead of an error.
const decoders = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

export type Encoding = keyof typeof decoders;

export function isKnownEncoding(name: string): name is Encoding {
  return Object.hasOwn(decoders, name);
}

export async function decode(
  packed: Buffer,
  encoding: Encoding,
  max_bytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const decoder = decoders[encoding]();
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
  return { body: Buffer.concat(parts), truncated: false };
}
