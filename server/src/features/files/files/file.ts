// A file as the API shows it. The URL is made anew each time.

import type { File } from '@toolgate/contract/files/file.ts';
import type { App } from '../../../app.ts';
import { linkToFile } from './link.ts';
import type { FileRow } from './store.ts';

/** Uploaded completely, and not expired when it was read. */
export type StoredFile = FileRow;

export async function showFile(app: App, file: StoredFile): Promise<File> {
  const { id, name, content_type, size, sha256, created_at, expires_at } = file;
  const link = await linkToFile(app, file);
  return { object: 'file', id, name, content_type, size, sha256: sha256 ?? '', created_at, expires_at, ...link };
}
