// Seals a secret for one row and column, and opens it only there: both are associated data of the encryption.
// The blob is `<version>.<master key>.<data key>.<nonce>.<ciphertext>`. Its head is associated data too, so that no character
// can be changed. In version v2 so is the destination of the secret; a context with a destination opens only v2. docs/design/storage.md explains why.

import type { SecretsDatabase } from '../database/tables.ts';
import { decrypt, encrypt, encryptInParts, nonceLength, SecretUnreadable } from './aes-gcm.ts';
import { fromBase64url } from './base64url.ts';
import type { DataKeys } from './data-keys.ts';

export type Envelope = ReturnType<typeof createEnvelope>;

/** The associated data of a sealed secret: copied to another row, column or project it cannot be opened. */
export type SealContext = {
  table: string;
  column: string;
  row_id: string;
  /** Where the secret may be sent. Stored in the same row; after a change of it there the secret cannot be opened. */
  destination?: string;
};

const HEAD = String.raw`((v[12])\.[\w-]{1,32}\.(dek_[0-9A-Za-z]{22}))\.`;
const FORMAT = new RegExp(String.raw`^${HEAD}([\w-]{16})\.([\w-]{22,})$`);
const HEAD_OF_BYTES = new RegExp(`^${HEAD}`);
const MAX_HEAD_LENGTH = 64;

export function createEnvelope(dataKeys: DataKeys) {
  async function seal(
    database: SecretsDatabase,
    project_id: string | null,
    context: SealContext,
    plaintext: string | Uint8Array,
  ): Promise<string> {
    const [blob] = await sealMany(database, project_id, [{ context, plaintext }]);
    return blob as string;
  }

  /** Reads the data key once for all of them. */
  async function sealMany(
    database: SecretsDatabase,
    project_id: string | null,
    secrets: { context: SealContext; plaintext: string | Uint8Array }[],
  ): Promise<string[]> {
    const { id, master_key_id, key } = await dataKeys.getSealingKey(database, project_id, secrets.length);
    return secrets.map(({ context, plaintext }) => {
      const head = `${versionFor(context)}.${master_key_id}.${id}`;
      const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext;
      const { nonce, ciphertext } = encrypt(key, associatedData(head, project_id, context), bytes);
      return `${head}.${nonce.toString('base64url')}.${ciphertext.toString('base64url')}`;
    });
  }

  async function open(
    database: SecretsDatabase,
    project_id: string | null,
    context: SealContext,
    blob: string,
  ): Promise<Buffer> {
    const [, head, version, id, nonce, ciphertext] = FORMAT.exec(blob) ?? [];
    if (!head || !id || !nonce || !ciphertext) throw new SecretUnreadable('not a sealed secret');
    if (version !== versionFor(context)) throw new SecretUnreadable('sealed with another version of context');
    const encrypted = { nonce: fromBase64url(nonce), ciphertext: fromBase64url(ciphertext) };
    const key = await dataKeys.findKey(database, project_id, id);
    return decrypt(key, associatedData(head, project_id, context), encrypted);
  }

  /** The same without base64url, for what is large: the head, the nonce and the ciphertext. */
  async function sealBytes(
    database: SecretsDatabase,
    project_id: string,
    context: SealContext,
    plaintext: Uint8Array,
  ): Promise<Buffer> {
    const { id, master_key_id, key } = await dataKeys.getSealingKey(database, project_id);
    const head = `${versionFor(context)}.${master_key_id}.${id}`;
    const { nonce, parts } = encryptInParts(key, associatedData(head, project_id, context), plaintext);
    return Buffer.concat([Buffer.from(`${head}.`), nonce, ...parts]);
  }

  async function openBytes(
    database: SecretsDatabase,
    project_id: string,
    context: SealContext,
    blob: Buffer,
  ): Promise<Buffer> {
    const [found = '', head, version, id] = HEAD_OF_BYTES.exec(blob.toString('latin1', 0, MAX_HEAD_LENGTH)) ?? [];
    if (!head || !id) throw new SecretUnreadable('not sealed bytes');
    if (version !== versionFor(context)) throw new SecretUnreadable('sealed with another version of context');
    const [from, to] = [found.length, found.length + nonceLength];
    const encrypted = { nonce: blob.subarray(from, to), ciphertext: blob.subarray(to) };
    const key = await dataKeys.findKey(database, project_id, id);
    return decrypt(key, associatedData(head, project_id, context), encrypted);
  }

  return { seal, sealMany, open, sealBytes, openBytes };
}

const versionFor = ({ destination }: SealContext) => (destination === undefined ? 'v1' : 'v2');

function associatedData(
  head: string,
  project_id: string | null,
  { table, column, row_id, destination }: SealContext,
): string {
  const data = [head, project_id, table, column, row_id];
  return JSON.stringify(destination === undefined ? data : [...data, destination]);
}
