// Data keys seal secrets: one per project and one for the installation, created when first needed, stored wrapped by a master
// key. A key is replaced long before random nonces could repeat: the old key still opens, the new one seals.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { randomBase62 } from '../base62.ts';
import type { Cache } from '../cache/cache.ts';
import type { MasterKey } from '../config/master-keys.ts';
import type { SecretsDatabase } from '../database/tables.ts';
import { decrypt, encrypt, nonceLength, SecretUnreadable } from './aes-gcm.ts';

export type DataKeys = ReturnType<typeof createDataKeys>;

export type DataKeyLimits = {
  /** How often one data key may seal before it is replaced. */
  uses: number;
  /** One use in so many is counted, as that many: accurate enough for large numbers, with few writes. */
  sample_rate: number;
};

export type WrappedKey = { id: string; project_id: string | null; master_key_id: string; wrapped_key: Buffer };

const defaultLimits: DataKeyLimits = { uses: 2 ** 31, sample_rate: 2 ** 16 };
/** In place of a project id in the cache. */
const INSTALLATION = 'installation';
const columns = ['id', 'project_id', 'master_key_id', 'wrapped_key'] as const;

export function createDataKeys(master_keys: MasterKey[], cache: Cache, limits: DataKeyLimits = defaultLimits) {
  /**
   * The key that seals for this project now. Always read with the caller's own handle and never cached: a secret sealed in a
   * transaction can then be opened if and only if the transaction commits, also when the transaction created the key.
   */
  async function getSealingKey(database: SecretsDatabase, project_id: string | null, uses = 1) {
    const row =
      (await selectSealingKey(database, project_id)) ?? (await createSealingKey(database, project_id, master_keys));
    if (Math.random() * limits.sample_rate < uses) await countUses(database, row.id, limits);
    return { id: row.id, master_key_id: row.master_key_id, key: unwrap(master_keys, row) };
  }

  /** Not shared between callers: one that holds a connection must not wait for another that has none yet. */
  async function findKey(database: SecretsDatabase, project_id: string | null, id: string): Promise<KeyObject> {
    const load = async () => {
      const row = await selectKey(database, project_id, id);
      if (!row) throw new SecretUnreadable('no such data key in this project');
      return { project_id: project_id ?? INSTALLATION, value: unwrap(master_keys, row) };
    };
    const cache_id = `${project_id ?? INSTALLATION} ${id}`;
    return (await cache.getOrLoad<KeyObject>('data_key', cache_id, load, { share: false })) as KeyObject;
  }

  /** The oldest key of the project, created if the project has no key. Data keys live as long as their project, so it never changes. */
  async function findFirstKey(database: SecretsDatabase, project_id: string): Promise<KeyObject> {
    const oldest = await database
      .selectFrom('data_keys')
      .select(columns)
      .where(ofProject(project_id))
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    const row = oldest ?? (await createSealingKey(database, project_id, master_keys));
    return unwrap(master_keys, row);
  }

  return { getSealingKey, findKey, findFirstKey };
}

export function wrap(master: MasterKey, id: string, project_id: string | null, key: Uint8Array): WrappedKey {
  const { nonce, ciphertext } = encrypt(master.key, associatedData(id, project_id, master.id), key);
  return { id, project_id, master_key_id: master.id, wrapped_key: Buffer.concat([nonce, ciphertext]) };
}

export function unwrap(master_keys: MasterKey[], row: WrappedKey): KeyObject {
  const master = master_keys.find(({ id }) => id === row.master_key_id);
  if (!master) throw new SecretUnreadable(`master key "${row.master_key_id}" is not loaded`);
  const nonce = row.wrapped_key.subarray(0, nonceLength);
  const ciphertext = row.wrapped_key.subarray(nonceLength);
  const key = decrypt(master.key, associatedData(row.id, row.project_id, master.id), { nonce, ciphertext });
  return createSecretKey(key);
}

function associatedData(id: string, project_id: string | null, master_key_id: string): string {
  return JSON.stringify(['v1', 'data_keys', id, project_id, master_key_id]);
}

function selectKey(database: SecretsDatabase, project_id: string | null, id: string): Promise<WrappedKey | undefined> {
  return database
    .selectFrom('data_keys')
    .select(columns)
    .where('id', '=', id)
    .where(ofProject(project_id))
    .executeTakeFirst();
}

function selectSealingKey(database: SecretsDatabase, project_id: string | null): Promise<WrappedKey | undefined> {
  return database
    .selectFrom('data_keys')
    .select(columns)
    .where(ofProject(project_id))
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

/** Among concurrent inserts, one succeeds; the others wait for its transaction to end and then read its key. */
async function createSealingKey(database: SecretsDatabase, project_id: string | null, master_keys: MasterKey[]) {
  const [master] = master_keys;
  if (!master) throw new Error('no master key is loaded');
  const row = wrap(master, `dek_${randomBase62(22)}`, project_id, randomBytes(32));
  await database
    .insertInto('data_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const sealing = await selectSealingKey(database, project_id);
  if (!sealing) throw new Error('the data key was not found after it was created');
  return sealing;
}

async function countUses(database: SecretsDatabase, id: string, limits: DataKeyLimits): Promise<void> {
  const uses = sql<number>`uses + ${limits.sample_rate}::bigint`;
  await database
    .updateTable('data_keys')
    .set({ uses, retired_at: sql`case when ${uses} >= ${limits.uses}::bigint then clock_timestamp() end` })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .execute();
}

/** The expression of the index data_keys_sealing; null is the installation. */
function ofProject(project_id: string | null) {
  return sql<boolean>`coalesce(project_id, '') = coalesce(${project_id}::text, '')`;
}
