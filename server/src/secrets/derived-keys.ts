// Keys for other work than sealing, derived from a project's first data key: the same in every process and after a restart, and
// unchanged when a later data key seals or the master key is replaced.

import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretsDatabase } from '../database/secrets-tables.ts';
import type { DataKeys } from './data-keys.ts';

const BYTES = 32;

export function createDerivedKeys(dataKeys: DataKeys) {
  const cached = new LRUCache<string, KeyObject>({ max: 5_000 });

  /** HKDF-SHA256 (RFC 5869) with the purpose as `info`: keys for different purposes tell nothing of each other. */
  return async function deriveKey(database: SecretsDatabase, project_id: string, purpose: string): Promise<KeyObject> {
    const id = `${project_id} ${purpose}`;
    const known = cached.get(id);
    if (known) return known;
    const first = await dataKeys.findFirstKey(database, project_id);
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', first, '', `toolgate ${purpose}`, BYTES)));
    cached.set(id, key);
    return key;
  };
}
