// Seals a secret for one place in the database, and opens it there and nowhere else.
// The blob is `v1.<master key>.<data key>.<nonce>.<ciphertext>`; its head is bound in, so no character of it can be changed.

import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { decrypt, encrypt, SecretUnreadable } from './aes-gcm.ts';
import type { DataKeys } from './data-keys.ts';

export type Envelope = ReturnType<typeof createEnvelope>;

/** Where the blob is kept: moved to another row, column or project it cannot be opened. */
export type Place = { table: string; column: string; row_id: string };

const version = 'v1';

export function createEnvelope(dataKeys: DataKeys) {
  async function seal(
    database: SecretsDatabase,
    project_id: string | null,
    place: Place,
    plaintext: string | Uint8Array,
  ): Promise<string> {
    const { id, master_key_id, key } = await dataKeys.takeSealingKey(database, project_id);
    const head = `${version}.${master_key_id}.${id}`;
    const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext;
    const { nonce, ciphertext } = encrypt(key, boundTo(head, project_id, place), bytes);
    return `${head}.${nonce.toString('base64url')}.${ciphertext.toString('base64url')}`;
  }

  async function open(
    database: SecretsDatabase,
    project_id: string | null,
    place: Place,
    blob: string,
  ): Promise<Buffer> {
    const [blobVersion, master_key_id, id, nonce, ciphertext, ...more] = blob.split('.', 6);
    if (blobVersion !== version || !id || !nonce || !ciphertext || more.length > 0) {
      throw new SecretUnreadable('not a sealed secret');
    }
    const encrypted = { nonce: fromBase64url(nonce), ciphertext: fromBase64url(ciphertext) };
    const key = await dataKeys.findKey(database, project_id, id);
    return decrypt(key, boundTo(`${version}.${master_key_id}.${id}`, project_id, place), encrypted);
  }

  return { seal, open };
}

function boundTo(head: string, project_id: string | null, { table, column, row_id }: Place): string {
  return JSON.stringify([head, project_id, table, column, row_id]);
}

/** Node ignores what it cannot decode: comparing tells whether every character counted. */
function fromBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SecretUnreadable('not base64url');
  return bytes;
}
