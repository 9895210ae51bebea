// Decompresses a body that was compressed although we asked for `identity`, and stops at the limit (decompression bombs).

import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
const flushes = { gzip: constants.Z_SYNC_FLUSH, deflate: constants.Z_SYNC_FLUSH, br: constants.BROTLI_OPERATION_FLUSH };

/** Each part goes through a thread and back, so few large ones are cheaper. A short body needs no large part. */
const SMALLEST_PART = 16 * 1024;
const LARGEST_PART = 256 * 1024;

export type Encoding = keyof typeof decoders;

/** RFC 9110 8.4.1.3. */
export const encodingOf = (header: string | undefined) =>
  header?.toLowerCase().replace(/^x-gzip$/, 'gzip') || 'identity';

export function isKnownEncoding(name: string): name is Encoding {
  return Object.hasOwn(decoders, name);
}

/** Decodes what is written to it. */
export const createDecoder = (encoding: Encoding): Transform => decoders[encoding]({ chunkSize: LARGEST_PART });

/** `is_truncated`: we stopped reading, so the compressed body has no end, and what can be decoded is returned. Otherwise a missing end is an error. */
export async function decode(
  compressed: Buffer,
  encoding: Encoding,
  max_bytes: number,
  is_truncated: boolean,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunkSize = Math.min(Math.max(SMALLEST_PART, compressed.length * 4), LARGEST_PART);
  const decoder = decoders[encoding]({ chunkSize, ...(is_truncated ? { finishFlush: flushes[encoding] } : {}) });
  decoder.end(compressed);
  const parts: Buffer[] = [];
  let left = max_bytes;
  // Returning from the loop destroys the decoder.
  for await (const part of decoder as AsyncIterable<Buffer>) {
    if (part.length > left) {
      parts.push(part.subarray(0, left));
      return { body: Buffer.concat(parts), truncated: true };
    }
    parts.push(part);
    left -= part.length;
  }
  return { body: Buffer.concat(parts), truncated: is_truncated };
}
