// The key that signs the files of audit streams. Its public half is published, so that whoever holds a file can verify it without
// the database. Created when it is first needed, and sealed under the installation's data key.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { randomBase62 } from '../base62.ts';
import type { PublicJwk, SecretsDatabase } from '../database/tables.ts';
import type { Envelope, SealContext } from './envelope.ts';

export type SigningKey = { kid: string; key: KeyObject };

/** As it is published. */
export type PublishedKey = PublicJwk & { kid: string; alg: 'ES256'; use: 'sig'; retired_at: string | null };

export type RotatedAuditKey = { kid: string; retired: string | null };

export function createAuditSigningKeys({ seal, open }: Envelope) {
  async function findOrCreateAuditSigningKey(database: SecretsDatabase): Promise<SigningKey> {
    const current = await selectCurrent(database);
    if (current) return opened(database, current);
    await insertKey(database);
    const created = await selectCurrent(database);
    if (!created) throw new Error("the audit log's signing key was not found after it was created");
    return opened(database, created);
  }

  /** Among concurrent inserts, one succeeds. */
  async function insertKey(database: SecretsDatabase): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = `aud-${randomBase62(22)}`;
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const private_sealed = await seal(database, null, contextOf(id), der);
    await database
      .insertInto('audit_signing_keys')
      .values({ id, public_jwk: JSON.stringify(publicKey.export({ format: 'jwk' })), private_sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** The new key signs at once. The old one stays published: the files that it signed can still be verified. */
  function rotateAuditSigningKey(database: SecretsDatabase, now: string): Promise<RotatedAuditKey> {
    return database.transaction().execute(async (transaction) => {
      const old = await transaction
        .updateTable('audit_signing_keys')
        .set({ retired_at: now })
        .where('retired_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      await insertKey(transaction);
      const current = await selectCurrent(transaction);
      if (!current) throw new Error("the audit log's signing key was not found after it was created");
      return { kid: current.id, retired: old?.id ?? null };
    });
  }

  async function opened(database: SecretsDatabase, row: { id: string; private_sealed: string }): Promise<SigningKey> {
    const der = await open(database, null, contextOf(row.id), row.private_sealed);
    return { kid: row.id, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  /** Also those that sign no longer: files that they signed can still be verified. */
  async function publishedAuditKeys(database: SecretsDatabase): Promise<PublishedKey[]> {
    await findOrCreateAuditSigningKey(database);
    const rows = await database
      .selectFrom('audit_signing_keys')
      .select(['id', 'public_jwk', 'retired_at'])
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map(({ id, retired_at, public_jwk: { kty, crv, x, y } }) => ({
      ...{ kty, crv, x, y },
      kid: id,
      alg: 'ES256',
      use: 'sig',
      retired_at,
    }));
  }

  return { findOrCreateAuditSigningKey, rotateAuditSigningKey, publishedAuditKeys };
}

function contextOf(id: string): SealContext {
  return { table: 'audit_signing_keys', column: 'private_sealed', row_id: id };
}

function selectCurrent(database: SecretsDatabase) {
  return database
    .selectFrom('audit_signing_keys')
    .select(['id', 'private_sealed'])
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}
