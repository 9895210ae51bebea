// Data keys seal secrets: one per project and one for the installation, made when first needed, kept wrapped by a master key.
// Each is turned long before random nonces could repeat: the old one still opens, a new one seals.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { decrypt, encrypt, nonceLength, SecretUnreadable } from './aes-gcm.ts';
import type { MasterKey } from './master-keys.ts';
import { randomBase62 } from './tokens.ts';

export type DataKeys = ReturnType<typeof createDataKeys>;

export type DataKeyLimits = {
  /** How often one data key may seal. */
  uses: number;
  /** One seal in so many is counted, as that many: exact enough for large numbers, and nearly no writes. */
  counted_in: number;
};

export type WrappedKey = { id: string; project_id: string | null; master_key_id: string; wrapped_key: Buffer };

const defaultLimits: DataKeyLimits = { uses: 2 ** 31, counted_in: 2 ** 16 };
const columns = ['id', 'project_id', 'master_key_id', 'wrapped_key'] as const;

export function createDataKeys(master_keys: MasterKey[], limits: DataKeyLimits = defaultLimits) {
  const opened = new LRUCache<string, { project_id: string | null; key: KeyObject }>({ max: 5_000 });

  /**
   * The key that seals for this project now. Always read through the caller's own handle and never remembered:
   * what a transaction seals can then be opened exactly if the transaction commits, even when it made the key itself.
   */
  async function takeSealingKey(database: SecretsDatabase, project_id: string | null) {
    const row = (await findSealing(database, project_id)) ?? (await makeSealing(database, project_id, master_keys));
    if (Math.random() * limits.counted_in < 1) await countUses(database, row.id, limits);
    return { id: row.id, master_key_id: row.master_key_id, key: unwrap(master_keys, row) };
  }

  /** Remembered by its id, which is never given to another key: opening costs no query. */
  async function findKey(database: SecretsDatabase, project_id: string | null, id: string): Promise<KeyObject> {
    const known = opened.get(id);
    if (known?.project_id === project_id) return known.key;
    const row = await database
      .selectFrom('data_keys')
      .select(columns)
      .where('id', '=', id)
      .where(ofProject(project_id))
      .executeTakeFirst();
    if (!row) throw new SecretUnreadable('no such data key in this project');
    const key = unwrap(master_keys, row);
    opened.set(id, { project_id, key });
    return key;
  }

  /** The oldest key of the project, made where there is none. Data keys are kept as long as their project, so it stays the same. */
  async function findFirstKey(database: SecretsDatabase, project_id: string): Promise<KeyObject> {
    const oldest = () =>
      database
        .selectFrom('data_keys')
        .select(columns)
        .where(ofProject(project_id))
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
    const row = (await oldest()) ?? (await makeSealing(database, project_id, master_keys));
    return unwrap(master_keys, row);
  }

  return { takeSealingKey, findKey, findFirstKey };
}

export function wrap(master: MasterKey, id: string, project_id: string | null, key: Uint8Array): WrappedKey {
  const { nonce, ciphertext } = encrypt(master.key, boundTo(id, project_id, master.id), key);
  return { id, project_id, master_key_id: master.id, wrapped_key: Buffer.concat([nonce, ciphertext]) };
}

export function unwrap(master_keys: MasterKey[], row: WrappedKey): KeyObject {
  const master = master_keys.find(({ id }) => id === row.master_key_id);
  if (!master) throw new SecretUnreadable(`master key "${row.master_key_id}" is not loaded`);
  const nonce = row.wrapped_key.subarray(0, nonceLength);
  const ciphertext = row.wrapped_key.subarray(nonceLength);
  const key = decrypt(master.key, boundTo(row.id, row.project_id, master.id), { nonce, ciphertext });
  return createSecretKey(key);
}

function boundTo(id: string, project_id: string | null, master_key_id: string): string {
  return JSON.stringify(['v1', 'data_keys', id, project_id, master_key_id]);
}

function findSealing(database: SecretsDatabase, project_id: string | null): Promise<WrappedKey | undefined> {
  return database
    .selectFrom('data_keys')
    .select(columns)
    .where(ofProject(project_id))
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

/** Of many at once one insert wins; the others wait for its transaction to end and then read it. */
async function makeSealing(database: SecretsDatabase, project_id: string | null, master_keys: MasterKey[]) {
  const [master] = master_keys;
  if (!master) throw new Error('no master key is loaded');
  const row = wrap(master, `dek_${randomBase62(22)}`, project_id, randomBytes(32));
  await database
    .insertInto('data_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const sealing = await findSealing(database, project_id);
  if (!sealing) throw new Error('the data key just made is not there');
  return sealing;
}

async function countUses(database: SecretsDatabase, id: string, limits: DataKeyLimits): Promise<void> {
  const uses = sql<number>`uses + ${limits.counted_in}::bigint`;
  await database
    .updateTable('data_keys')
    .set({ uses, retired_at: sql`case when ${uses} >= ${limits.uses}::bigint then clock_timestamp() end` })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .execute();
}

/** The very expression of the index data_keys_sealing; null is the installation's own. */
function ofProject(project_id: string | null) {
  return sql<boolean>`coalesce(project_id, '') = coalesce(${project_id}::text, '')`;
}
