// toolgate master-key rotate: a new master key wraps every data key, and the old one is kept. With the embedded database the key
// is in master.key, and the server must be stopped: it has read the old file. With TOOLGATE_MASTER_KEYS only the operator can
// change the keys of every replica, so the command makes a key, and wraps with it when it is the first.

import { createCache } from '../cache/cache.ts';
import type { Config } from '../config/config.ts';
import { type MasterKey, parseMasterKeys } from '../config/master-keys.ts';
import { createSecrets } from '../secrets/encryption.ts';
import { loadOrMakeMasterKeys, masterKeyFile, newMasterKey, verifyMasterKeys } from '../secrets/master-keys.ts';
import type { Rewrapped } from '../secrets/rewrap.ts';
import { readIfExists, replaceSecretFile } from '../secrets/secret-file.ts';
import { findMasterKeys, openStore, type Store, withClient } from './open-store.ts';
import type { OnProgress } from './progress.ts';

export type Rotation =
  /** Every data key is under this master key now, except those that no loaded master key opens. */
  | ({ kind: 'rotated'; master_key_id: string; old_master_key_ids: string[] } & Rewrapped)
  /** A new key for TOOLGATE_MASTER_KEYS; nothing has changed. */
  | { kind: 'new_key'; new_master_key: string };

export async function rotateMasterKey(config: Config, onProgress: OnProgress): Promise<Rotation> {
  const store = await openStore(config, { is_exclusive: true });
  try {
    if (config.master_keys.length === 0) return await rotateFile(config, store, onProgress);
    await verifyMasterKeys(store.database, config.master_keys);
    if (config.master_keys.length === 1) return { kind: 'new_key', new_master_key: newMasterKey() };
    return await rewrap(store, config.master_keys, onProgress);
  } finally {
    await store.close();
  }
}

/** npm run rewrap-keys: wraps every data key with the first master key. */
export async function rewrapKeys(config: Config, onProgress: OnProgress): Promise<Rewrapped> {
  const store = await openStore(config, { is_exclusive: true });
  try {
    const master_keys = await findMasterKeys(config);
    await verifyMasterKeys(store.database, master_keys);
    return await rewrap(store, master_keys, onProgress);
  } finally {
    await store.close();
  }
}

async function rotateFile({ data_dir }: Config, store: Store, onProgress: OnProgress): Promise<Rotation> {
  const path = masterKeyFile(data_dir);
  const old = await readIfExists(path);
  if (old === null) throw new Error(`${path} is missing: restore it from a backup first`);
  // A wrong key must not become an old key of the file.
  await verifyMasterKeys(store.database, await loadOrMakeMasterKeys(data_dir));
  // The file first: a data key must never be under a key that is stored nowhere.
  const text = `${newMasterKey()},${old}`;
  await replaceSecretFile(path, text);
  const { keys } = parseMasterKeys(text);
  await verifyMasterKeys(store.database, keys);
  return rewrap(store, keys, onProgress);
}

async function rewrap(
  { connection, database }: Store,
  master_keys: MasterKey[],
  onProgress: OnProgress,
): Promise<Extract<Rotation, { kind: 'rotated' }>> {
  const [first, ...others] = master_keys.map(({ id }) => id);
  if (first === undefined) throw new Error('no master key is loaded');
  const total = await withClient(connection, async (client) => {
    const { rows } = await client.query('select count(*) as total from data_keys where master_key_id <> $1', [first]);
    return rows[0].total as number;
  });
  const secrets = createSecrets({ master_keys, cache: createCache() });
  const result = await secrets.rewrapDataKeys(database, ({ rewrapped }) =>
    onProgress({ step: 'data keys', done: rewrapped, total }),
  );
  return { kind: 'rotated', master_key_id: first, old_master_key_ids: others, ...result };
}
