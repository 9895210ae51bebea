// Keys for other uses than sealing, derived from a project's first data key: the same in every process and after a restart, and
// unchanged when a later data key seals or the master key is replaced.

import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Cache } from '../cache/cache.ts';
import type { SecretsDatabase } from '../database/tables.ts';
import type { DataKeys } from './data-keys.ts';

const BYTES = 32;

export function createDerivedKeys(dataKeys: DataKeys, cache: Cache) {
  /** HKDF-SHA256 (RFC 5869) with the purpose as `info`: keys for different purposes are independent. */
  return async function deriveKey(database: SecretsDatabase, project_id: string, purpose: string): Promise<KeyObject> {
    const load = async () => {
      const first = await dataKeys.findFirstKey(database, project_id);
      const bytes = Buffer.from(hkdfSync('sha256', first, '', `toolgate ${purpose}`, BYTES));
      return { project_id, value: createSecretKey(bytes) };
    };
    const cache_id = `${project_id} ${purpose}`;
    return (await cache.getOrLoad<KeyObject>('derived_key', cache_id, load, { share: false })) as KeyObject;
  };
}
