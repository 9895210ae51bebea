// AES-256-GCM with a random 96-bit nonce, the whole 128-bit tag and associated data, which must be equal to decrypt.

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

export const nonceLength = 12;
const tagLength = 16;

/** The same message for every reason, so that a caller cannot tell them apart; `cause` is for the log. */
export class SecretUnreadable extends Error {
  constructor(cause: unknown) {
    super('the secret cannot be read', { cause });
    this.name = 'SecretUnreadable';
  }
}

export type Encrypted = { nonce: Buffer; ciphertext: Buffer };

/** The ciphertext ends with the tag. */
export function encrypt(key: KeyObject, associated_data: string, plaintext: Uint8Array): Encrypted {
  const { nonce, parts } = encryptInParts(key, associated_data, plaintext);
  return { nonce, ciphertext: Buffer.concat(parts) };
}

/** The parts of the ciphertext, for who copies them anyway. */
export function encryptInParts(key: KeyObject, associated_data: string, plaintext: Uint8Array) {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(associated_data));
  return { nonce, parts: [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()] as const };
}

export function decrypt(key: KeyObject, associated_data: string, { nonce, ciphertext }: Encrypted): Buffer {
  if (nonce.length !== nonceLength || ciphertext.length < tagLength) throw new SecretUnreadable('wrong length');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(associated_data));
  decipher.setAuthTag(ciphertext.subarray(-tagLength));
  const start = decipher.update(ciphertext.subarray(0, -tagLength));
  try {
    const end = decipher.final();
    return end.length === 0 ? start : Buffer.concat([start, end]);
  } catch (cause) {
    throw new SecretUnreadable(cause);
  }
}
