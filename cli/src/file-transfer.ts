// Files of this machine: sent and stored as streams, so that memory does not grow with them.

import { createWriteStream, openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredFile, Toolgate } from '../../sdk/src/index.ts';
import { Failure } from './failure.ts';

/** By the ending of the name. Others are unknown bytes. */
const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

export async function uploadFile(
  toolgate: Toolgate,
  path: string,
  { name = basename(path), type = types[extname(path).toLowerCase()] }: { name?: string; type?: string } = {},
): Promise<StoredFile> {
  return toolgate.files.upload(await openFile(path), { name, contentType: type });
}

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch {
    throw new Failure(`The file cannot be read: ${path}`);
  }
}

/** To the path, which must be new. */
export async function downloadFile(toolgate: Toolgate, id: string, path: string): Promise<void> {
  const { body } = await toolgate.files.content(id);
  try {
    await pipeline(
      body ? Readable.fromWeb(body as never) : Readable.from([]),
      createWriteStream(path, { flags: 'wx' }),
    );
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw exists ? new Failure(`${path} already exists. Choose another file with --output.`) : error;
  }
}
