// The URL of a file: whoever has it can read the file for some minutes, and nothing else. Nothing of it is stored: the token states
// when it expires, and a key of the project authenticates that.

import { createHmac } from 'node:crypto';
import { FILE_URL_SECONDS } from '@toolgate/contract/files/rules.ts';
import { isId } from '@toolgate/contract/ids.ts';
import type { App } from '../../../app.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import type { StoredFile } from './file.ts';
import { selectLinkedFile } from './store.ts';

const PURPOSE = 'file url v1';

export type FileLink = { url: string; url_expires_at: string };

export async function linkToFile(app: App, file: StoredFile): Promise<FileLink> {
  const expires_ms = Math.min(app.now() + FILE_URL_SECONDS * 1000, Date.parse(file.expires_at));
  const expires = String(Math.floor(expires_ms));
  const token = `${expires}.${(await macOf(app, file, expires)).toString('base64url')}`;
  const url = `${app.config.public_url}/files/${file.id}/${encodeURIComponent(file.name)}?token=${token}`;
  return { url, url_expires_at: new Date(expires_ms).toISOString() };
}

/** Undefined for a token that is forged, of another file or expired, and for a file that does not exist any more. */
export async function openFileLink(app: App, id: string, token: string): Promise<StoredFile | undefined> {
  const [, expires = '', mac = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  if (!isId('fil', id) || Number(expires) <= app.now()) return undefined;
  const file = await selectLinkedFile(app.database, id, app.now());
  if (!file) return undefined;
  const given = Buffer.from(mac, 'base64url');
  // Decoding ignores unused bits.
  const isWhole = given.toString('base64url') === mac;
  return isWhole && sameBytes(given, await macOf(app, file, expires)) ? file : undefined;
}

async function macOf(app: App, { project_id, id }: StoredFile, expires: string): Promise<Buffer> {
  const key = await app.secrets.deriveKey(app.database, project_id, PURPOSE);
  return createHmac('sha256', key)
    .update(JSON.stringify([id, expires]))
    .digest();
}
