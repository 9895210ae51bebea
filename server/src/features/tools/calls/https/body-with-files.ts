// A request body with files. They are read when the call has its slot: as base64 for a JSON or form body, else while they are sent.

import { createHash } from 'node:crypto';
import { ApiError } from '../../../../errors/errors.ts';
import type { BodyStream } from '../../../../outbound/messages.ts';
import { type BodyParts, lengthOf, readParts, type SentFile } from '../../expansion/sent-file.ts';
import { type Arguments, invalidArguments } from '../arguments.ts';
import type { CallFiles } from '../files/call-file.ts';

export const streamOf = (parts: BodyParts): BodyStream => ({ length: lengthOf(parts), read: () => readParts(parts) });

/** The arguments, with the files in them as base64. */
export async function withBase64(given: Arguments, files: CallFiles): Promise<Arguments> {
  const encoded = { ...given };
  for (const [name, file] of files) encoded[name] = await named(name, () => readBase64(file));
  return encoded;
}

async function readBase64(file: SentFile): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of file.read()) parts.push(part);
  return Buffer.concat(parts).toString('base64');
}

/** What is signed is what is sent. That of a file alone is known. */
export async function sha256Of(parts: BodyParts, files: CallFiles): Promise<string> {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return first.sha256;
  const hash = createHash('sha256');
  const [name = ''] = files.keys();
  await named(name, async () => {
    for await (const part of readParts(parts)) hash.update(part);
  });
  return hash.digest('hex');
}

/** A file that was deleted, or has expired, since it was found. Nothing was sent. */
async function named<T>(field: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw invalidArguments([{ field, message: 'has expired, or was deleted: upload it again' }]);
  }
}
