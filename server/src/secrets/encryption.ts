// What the features see of sealing: seal, open, and open what a customer gave, which is opened once and then remembered.

import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { findAuditKey, findOrMakeAuditKey } from './audit-key.ts';
import { createDataKeys, type DataKeyLimits } from './data-keys.ts';
import { createDerivedKeys } from './derived-keys.ts';
import { createEnvelope, type Place } from './envelope.ts';
import { type MasterKey, verifyMasterKeys } from './master-keys.ts';
import { type Rewrapped, rewrapDataKeys } from './rewrap.ts';
import { createSealedInput, type EncryptionKey, looksLikeJwe } from './sealed-input.ts';

export type Secrets = {
  /** Give the transaction's handle when there is one: the project and its data key may be as new as the secret. */
  seal(
    database: SecretsDatabase,
    project_id: string | null,
    place: Place,
    plaintext: string | Uint8Array,
  ): Promise<string>;
  open(database: SecretsDatabase, project_id: string | null, place: Place, blob: string): Promise<Buffer>;
  /** For a sealed customer's secret, plain or JWE, on the hot path: neither a query nor a decryption the second time. */
  openInput(database: SecretsDatabase, project_id: string, place: Place, blob: string): Promise<string>;
  /** What the project's customers seal their input to. */
  currentEncryptionKey(database: SecretsDatabase, project_id: string): Promise<EncryptionKey>;
  /** A key of the project's own for something else than sealing. Not inside a transaction: it is cached, and that may roll back. */
  deriveKey(database: SecretsDatabase, project_id: string, purpose: string): Promise<KeyObject>;
  /** For the MACs of the audit log; null before the first start. */
  findAuditKey(database: SecretsDatabase): Promise<KeyObject | null>;
  findOrMakeAuditKey(database: SecretsDatabase): Promise<KeyObject>;
  /** Before anything is sealed: throws when a master key is wrong, or missing and still in use. */
  verifyMasterKeys(database: SecretsDatabase): Promise<void>;
  /** After a new master key was put first: moves every data key under it. */
  rewrapDataKeys(database: SecretsDatabase, onProgress?: (progress: Rewrapped) => void): Promise<Rewrapped>;
};

type Remembered = { project_id: string; place: Place; secret: Promise<string> };

const rememberedCharacters = 16 * 2 ** 20;

export function createSecrets(options: { master_keys: MasterKey[]; limits?: DataKeyLimits }): Secrets {
  const { master_keys } = options;
  const dataKeys = createDataKeys(master_keys, options.limits);
  const envelope = createEnvelope(dataKeys);
  const { currentEncryptionKey, openJwe } = createSealedInput(envelope);
  const remembered = new LRUCache<string, Remembered>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_, blob) => blob.length,
  });

  function openInput(database: SecretsDatabase, project_id: string, place: Place, blob: string): Promise<string> {
    const known = remembered.get(blob);
    if (known && known.project_id === project_id && isSamePlace(known.place, place)) return known.secret;
    const secret = openOnce(database, project_id, place, blob);
    // A copy elsewhere must not push the rightful one out; a failure is not remembered: the database may be back by then.
    if (!known) {
      remembered.set(blob, { project_id, place, secret });
      secret.catch(() => remembered.delete(blob));
    }
    return secret;
  }

  async function openOnce(database: SecretsDatabase, project_id: string, place: Place, blob: string): Promise<string> {
    const text = (await envelope.open(database, project_id, place, blob)).toString();
    return looksLikeJwe(text) ? openJwe(database, project_id, text) : text;
  }

  return {
    ...envelope,
    openInput,
    currentEncryptionKey,
    deriveKey: createDerivedKeys(dataKeys),
    findAuditKey: (database) => findAuditKey(database, envelope),
    findOrMakeAuditKey: (database) => findOrMakeAuditKey(database, envelope),
    verifyMasterKeys: (database) => verifyMasterKeys(database, master_keys),
    rewrapDataKeys: (database, onProgress) => rewrapDataKeys(database, master_keys, onProgress),
  };
}

function isSamePlace(a: Place, b: Place): boolean {
  const isSameRow = a.row_id === b.row_id && a.column === b.column && a.table === b.table;
  return isSameRow && a.destination === b.destination;
}
