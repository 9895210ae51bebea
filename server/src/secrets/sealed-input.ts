// Secrets that customers encrypt themselves: a compact JWE (ECDH-ES, A256GCM) to their project's public key.
// It is stored as given and decrypted only for use, so a damaged JWE is detected then.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type EncryptionKey, MAX_JWE_LENGTH } from '@toolgate/contract/custom-tools/encryption-key.ts';
import { compactDecrypt } from 'jose';
import { randomBase62 } from '../base62.ts';
import type { Cache } from '../cache/cache.ts';
import type { PublicJwk, SecretsDatabase } from '../database/tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import { fromBase64url } from './base64url.ts';
import type { Envelope, SealContext } from './envelope.ts';

/** A JOSE header with `enc` (RFC 7516 §9), or a damaged JWE: it is refused when used, not sent as a plain secret. */
export function looksLikeJwe(text: string): boolean {
  return readHeader(text)?.enc !== undefined || (text.startsWith('eyJ') && text.split('.', 6).length === 5);
}

export function createSealedInput({ seal, open }: Envelope, cache: Cache) {
  /** Created at the first request; of concurrent inserts one succeeds. */
  async function currentEncryptionKey(database: SecretsDatabase, project_id: string): Promise<EncryptionKey> {
    const current = await findCurrent(database, project_id);
    if (current) return present(current);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = `enc_${randomBase62(22)}`;
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const private_sealed = await seal(database, project_id, contextOf(id), der);
    await database
      .insertInto('encryption_keys')
      .values({ id, project_id, public_jwk: JSON.stringify(publicKey.export({ format: 'jwk' })), private_sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const created = await findCurrent(database, project_id);
    if (!created) throw new Error('the encryption key was not found after it was created');
    return present(created);
  }

  async function openJwe(database: SecretsDatabase, project_id: string, text: string): Promise<string> {
    const header = text.length <= MAX_JWE_LENGTH ? readHeader(text) : null;
    if (!header) throw new SecretUnreadable('not a JWE, or too long');
    text.split('.').forEach(fromBase64url);
    const key = await findPrivateKey(database, project_id, header.kid);
    try {
      const { plaintext } = await compactDecrypt(text, key, {
        keyManagementAlgorithms: ['ECDH-ES'],
        contentEncryptionAlgorithms: ['A256GCM'],
        maxDecompressedLength: 0, // refuses compressed plaintexts: a small one could decompress to gigabytes
      });
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plaintext);
    } catch (cause) {
      throw new SecretUnreadable(cause);
    }
  }

  async function findPrivateKey(database: SecretsDatabase, project_id: string, kid: unknown): Promise<KeyObject> {
    const id = kid === undefined ? (await findCurrent(database, project_id))?.id : kid;
    if (typeof id !== 'string' || !/^enc_[0-9A-Za-z]{22}$/.test(id)) throw unknownKey();
    const load = async () => {
      const sealed = await selectPrivateKey(database, project_id, id);
      if (sealed === undefined) throw unknownKey();
      const der = await open(database, project_id, contextOf(id), sealed);
      return { project_id, value: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
    };
    const cache_id = `${project_id} ${id}`;
    return (await cache.getOrLoad<KeyObject>('private_key', cache_id, load, { share: false })) as KeyObject;
  }

  return { currentEncryptionKey, openJwe };
}

function contextOf(id: string): SealContext {
  return { table: 'encryption_keys', column: 'private_sealed', row_id: id };
}

const unknownKey = () => new SecretUnreadable('not encrypted for a key of this project');

async function selectPrivateKey(database: SecretsDatabase, project_id: string, id: string) {
  const row = await database
    .selectFrom('encryption_keys')
    .select('private_sealed')
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst();
  return row?.private_sealed;
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
    return null; // any text may be a plain secret
  }
}
