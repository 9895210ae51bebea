// Secrets that customers seal themselves: a compact JWE (ECDH-ES, A256GCM) to their project's public key.
// It is kept as given and opened only to be used, so a damaged one is found then, and only for the project it was sealed to.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { compactDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { PublicJwk, SecretsDatabase } from '../database/secrets-tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import { fromBase64url } from './base64url.ts';
import type { Envelope, Place } from './envelope.ts';
import { randomBase62 } from './tokens.ts';

export type EncryptionKey = {
  key_id: string;
  jwk: PublicJwk & { kid: string; alg: 'ECDH-ES'; use: 'enc' };
  /** PEM (SPKI) of the same key. */
  public_key: string;
};

export const maxJweLength = 16_384;

/** A JOSE header that names `enc` (RFC 7516 §9), or what is left of one: better refused when used than sent as a plain secret. */
export function looksLikeJwe(text: string): boolean {
  return readHeader(text)?.enc !== undefined || (text.startsWith('eyJ') && text.split('.', 6).length === 5);
}

export function createSealedInput({ seal, open }: Envelope) {
  const privateKeys = new LRUCache<string, { project_id: string; key: KeyObject }>({ max: 1_000 });

  /** Made when first asked for; of many at once one insert wins. */
  async function currentEncryptionKey(database: SecretsDatabase, project_id: string): Promise<EncryptionKey> {
    const current = await findCurrent(database, project_id);
    if (current) return present(current);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = `enc_${randomBase62(22)}`;
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const private_sealed = await seal(database, project_id, placeOf(id), der);
    await database
      .insertInto('encryption_keys')
      .values({ id, project_id, public_jwk: JSON.stringify(publicKey.export({ format: 'jwk' })), private_sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const made = await findCurrent(database, project_id);
    if (!made) throw new Error('the encryption key just made is not there');
    return present(made);
  }

  async function openJwe(database: SecretsDatabase, project_id: string, text: string): Promise<string> {
    const header = text.length <= maxJweLength ? readHeader(text) : null;
    if (!header) throw new SecretUnreadable('not a JWE, or too long');
    text.split('.').forEach(fromBase64url);
    const key = await findPrivateKey(database, project_id, header.kid);
    try {
      const { plaintext } = await compactDecrypt(text, key, {
        keyManagementAlgorithms: ['ECDH-ES'],
        contentEncryptionAlgorithms: ['A256GCM'],
        maxDecompressedLength: 0, // a compressed one could be a bomb
      });
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plaintext);
    } catch (cause) {
      throw new SecretUnreadable(cause);
    }
  }

  async function findPrivateKey(database: SecretsDatabase, project_id: string, kid: unknown): Promise<KeyObject> {
    const id = kid === undefined ? (await findCurrent(database, project_id))?.id : kid;
    if (typeof id !== 'string' || !/^enc_[0-9A-Za-z]{22}$/.test(id))
      throw new SecretUnreadable('sealed to no key of ours');
    const known = privateKeys.get(id);
    if (known?.project_id === project_id) return known.key;
    const row = await database
      .selectFrom('encryption_keys')
      .select('private_sealed')
      .where('id', '=', id)
      .where('project_id', '=', project_id)
      .executeTakeFirst();
    if (!row) throw new SecretUnreadable('sealed to no key of ours');
    const der = await open(database, project_id, placeOf(id), row.private_sealed);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    privateKeys.set(id, { project_id, key });
    return key;
  }

  return { currentEncryptionKey, openJwe };
}

function placeOf(id: string): Place {
  return { table: 'encryption_keys', column: 'private_sealed', row_id: id };
}

function findCurrent(database: SecretsDatabase, project_id: string) {
  return database
    .selectFrom('encryption_keys')
    .select(['id', 'public_jwk'])
    .where('project_id', '=', project_id)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

function present({ id, public_jwk }: { id: string; public_jwk: PublicJwk }): EncryptionKey {
  return {
    key_id: id,
    jwk: { ...public_jwk, kid: id, alg: 'ECDH-ES', use: 'enc' },
    public_key: createPublicKey({ key: public_jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }) as string,
  };
}

function readHeader(text: string): Record<string, unknown> | null {
  const end = text.indexOf('.');
  if (end < 0) return null;
  try {
    const header: unknown = JSON.parse(Buffer.from(text.slice(0, end), 'base64url').toString());
    return typeof header === 'object' && header !== null ? (header as Record<string, unknown>) : null;
  } catch {
    return null; // plain secrets are any text
  }
}
