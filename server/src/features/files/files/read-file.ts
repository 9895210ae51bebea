// Reads the bytes of a file, or some of them, part by part: memory does not grow with it.

import type { App } from '../../../app.ts';
import type { StoredFile } from './file.ts';
import { readPart } from './parts.ts';

/** Both are included. */
export type ByteRange = { first: number; last: number };

/** Throws in the middle if the file expires or is deleted meanwhile. Do not hold a database permit: it takes one for each part. */
export async function* readFile(app: App, file: StoredFile, range?: ByteRange): AsyncGenerator<Buffer> {
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  for (let at = first; at <= last; ) {
    const position = Math.floor(at / file.part_bytes);
    const start = position * file.part_bytes;
    const bytes = await readPart(app, file, position);
    const part = bytes.subarray(at - start, last - start + 1);
    if (part.length === 0) throw new Error('a part of the file is shorter than its size says');
    yield part;
    at += part.length;
  }
}
