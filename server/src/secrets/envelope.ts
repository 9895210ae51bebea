// Seals a secret for one place in the database, and opens it there and nowhere else.
// The blob is `<version>.<master key>.<data key>.<nonce>.<ciphertext>`; its head is bound in, so no character of it can be
// changed. Version v2 is also bound to where the secret may be sent; a place that has a destination opens nothing else.

import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { decrypt, encrypt, SecretUnreadable } from './aes-gcm.ts';
import { fromBase64url } from './base64url.ts';
import type { DataKeys } from './data-keys.ts';

export type Envelope = ReturnType<typeof createEnvelope>;

/** Where the blob is kept: moved to another row, column or project it cannot be opened. */
export type Place = {
  table: string;
  column: string;
  row_id: string;
  /** Where the secret may be sent, as text: kept beside the blob, and changed there it cannot be opened. */
  destination?: string;
};

const shape = /^((v[12])\.[\w-]{1,32}\.(dek_[0-9A-Za-z]{22}))\.([\w-]{16})\.([\w-]{22,})$/;

export function createEnvelope(dataKeys: DataKeys) {
  async function seal(
    database: SecretsDatabase,
    project_id: string | null,
    place: Place,
    plaintext: string | Uint8Array,
  ): Promise<string> {
    const { id, master_key_id, key } = await dataKeys.takeSealingKey(database, project_id);
    const head = `${versionFor(place)}.${master_key_id}.${id}`;
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
    const [, head, version, id, nonce, ciphertext] = shape.exec(blob) ?? [];
    if (!head || !id || !nonce || !ciphertext) throw new SecretUnreadable('not a sealed secret');
    if (version !== versionFor(place)) throw new SecretUnreadable('sealed for another kind of place');
    const encrypted = { nonce: fromBase64url(nonce), ciphertext: fromBase64url(ciphertext) };
    const key = await dataKeys.findKey(database, project_id, id);
    return decrypt(key, boundTo(head, project_id, place), encrypted);
  }

  return { seal, open };
}

const versionFor = ({ destination }: Place) => (destination === undefined ? 'v1' : 'v2');

function boundTo(head: string, project_id: string | null, { table, column, row_id, destination }: Place): string {
  const place = [head, project_id, table, column, row_id];
  return JSON.stringify(destination === undefined ? place : [...place, destination]);
}
