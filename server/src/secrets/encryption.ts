// The interface of sealing for the features. Opened secrets are not cached here, only keys are, in `app.cache`. A feature that
// needs an opened secret for many calls caches it there too.

import type { KeyObject } from 'node:crypto';
import type { EncryptionKey } from '@toolgate/contract/custom-tools/encryption-key.ts';
import type { Cache } from '../cache/cache.ts';
import type { MasterKey } from '../config/master-keys.ts';
import type { SecretsDatabase } from '../database/tables.ts';
import { findAuditKey, findOrCreateAuditKey } from './audit-key.ts';
import {
  createAuditSigningKeys,
  type PublishedKey,
  type RotatedAuditKey,
  type SigningKey,
} from './audit-signing-key.ts';
import { createDataKeys, type DataKeyLimits } from './data-keys.ts';
import { createDerivedKeys } from './derived-keys.ts';
import { createEnvelope, type SealContext } from './envelope.ts';
import { verifyMasterKeys } from './master-keys.ts';
import { type Rewrapped, rewrapDataKeys } from './rewrap.ts';
import { createSealedInput, looksLikeJwe } from './sealed-input.ts';

export type Secrets = {
  /** Pass the handle of the transaction if there is one: the project and its data key may have been created in it. */
  seal(
    database: SecretsDatabase,
    project_id: string | null,
    context: SealContext,
    plaintext: string | Uint8Array,
  ): Promise<string>;
  /** The same for many secrets of one project. */
  sealMany(
    database: SecretsDatabase,
    project_id: string | null,
    secrets: { context: SealContext; plaintext: string | Uint8Array }[],
  ): Promise<string[]>;
  open(database: SecretsDatabase, project_id: string | null, context: SealContext, blob: string): Promise<Buffer>;
  /** The same for what is large, such as a part of a file. */
  sealBytes(
    database: SecretsDatabase,
    project_id: string,
    context: SealContext,
    plaintext: Uint8Array,
  ): Promise<Buffer>;
  openBytes(database: SecretsDatabase, project_id: string, context: SealContext, blob: Buffer): Promise<Buffer>;
  /** Opens a secret that a customer gave as plain text or as a JWE. */
  openInput(database: SecretsDatabase, project_id: string, context: SealContext, blob: string): Promise<string>;
  /** The public key that the project's customers encrypt their secrets to. */
  currentEncryptionKey(database: SecretsDatabase, project_id: string): Promise<EncryptionKey>;
  /** A key of the project for another use than sealing. Not inside a transaction: the key is cached, and a rollback may remove it. */
  deriveKey(database: SecretsDatabase, project_id: string, purpose: string): Promise<KeyObject>;
  /** For the MACs of the audit log; null before the first start. */
  findAuditKey(database: SecretsDatabase): Promise<KeyObject | null>;
  findOrCreateAuditKey(database: SecretsDatabase): Promise<KeyObject>;
  /** Signs the files of audit streams. Not inside a transaction that may be rolled back. */
  findOrCreateAuditSigningKey(database: SecretsDatabase): Promise<SigningKey>;
  /** `now`: of the app's clock, as the heads have it. */
  rotateAuditSigningKey(database: SecretsDatabase, now: string): Promise<RotatedAuditKey>;
  publishedAuditKeys(database: SecretsDatabase): Promise<PublishedKey[]>;
  /** Call before anything is sealed: throws when a master key is wrong, or missing and still in use. */
  verifyMasterKeys(database: SecretsDatabase): Promise<void>;
  /** After a new master key was put first: wraps every data key with it. */
  rewrapDataKeys(database: SecretsDatabase, onProgress?: (progress: Rewrapped) => void): Promise<Rewrapped>;
};

type Options = { master_keys: MasterKey[]; cache: Cache; limits?: DataKeyLimits };

export function createSecrets({ master_keys, cache, limits }: Options): Secrets {
  const dataKeys = createDataKeys(master_keys, cache, limits);
  const envelope = createEnvelope(dataKeys);
  const { currentEncryptionKey, openJwe } = createSealedInput(envelope, cache);

  return {
    ...envelope,
    async openInput(database, project_id, context, blob) {
      const text = (await envelope.open(database, project_id, context, blob)).toString();
      return looksLikeJwe(text) ? openJwe(database, project_id, text) : text;
    },
    currentEncryptionKey,
    deriveKey: createDerivedKeys(dataKeys, cache),
    findAuditKey: (database) => findAuditKey(database, envelope),
    findOrCreateAuditKey: (database) => findOrCreateAuditKey(database, envelope),
    ...createAuditSigningKeys(envelope),
    verifyMasterKeys: (database) => verifyMasterKeys(database, master_keys),
    rewrapDataKeys: (database, onProgress) => rewrapDataKeys(database, master_keys, onProgress),
  };
}
