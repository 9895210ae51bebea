// Seals a secret for one place in the database, and opens it there and nowhere else.
// The blob is `v1.<master key>.<data key>.<nonce>.<ciphertext>`; its head is bound in, so no character of it can be changed.

import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { decrypt, encrypt, SecretUnreadable } from './aes-gcm.ts';
import { fromBase64url } from './base64url.ts';
import type { DataKeys } from './data-keys.ts';

export type Envelope = ReturnType<typeof createEnvelope>;

/** Where the blob is kept: moved to another row, column or project it cannot be opened. */
export type Place = { table: string; column: string; row_id: string };

const shape = /^(v1\.[\w-]{1,32}\.(dek_[0-9A-Za-z]{22}))\.([\w-]{16})\.([\w-]{22,})$/;

export function createEnvelope(dataKeys: DataKeys) {
  async function seal(
    database: SecretsDatabase,
    project_id: string | null,
    place: Place,
    plaintext: string | Uint8Array,
  ): Promise<string> {
    const { id, master_key_id, key } = await dataKeys.takeSealingKey(database, project_id);
    const head = `v1.${master_key_id}.${id}`;
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
    const [, head, id, nonce, ciphertext] = shape.exec(blob) ?? [];
    if (!head || !id || !nonce || !ciphertext) throw new SecretUnreadable('not a sealed secret');
    const encrypted = { nonce: fromBase64url(nonce), ciphertext: fromBase64url(ciphertext) };
    const key = await dataKeys.findKey(database, project_id, id);
    return decrypt(key, boundTo(head, project_id, place), encrypted);
  }

  return { seal, open };
}

function boundTo(head: string, project_id: string | null, { table, column, row_id }: Place): string {
  return JSON.stringify([head, project_id, table, column, row_id]);
}
