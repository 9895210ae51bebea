// Wraps every data key with the first master key, so that the others can be removed. Runs while the server serves requests;
// when it is stopped, the next run continues.

import type { MasterKey } from '../config/master-keys.ts';
import type { SecretsDatabase } from '../database/tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import { unwrap, type WrappedKey, wrap } from './data-keys.ts';

export type Rewrapped = {
  rewrapped: number;
  /** Data keys that no loaded master key unwraps. They are not changed. */
  unreadable: string[];
};

const batchSize = 100;

export async function rewrapDataKeys(
  database: SecretsDatabase,
  master_keys: MasterKey[],
  onProgress?: (progress: Rewrapped) => void,
): Promise<Rewrapped> {
  const progress: Rewrapped = { rewrapped: 0, unreadable: [] };
  let isWaiting = false;
  for (;;) {
    const taken = await rewrapBatch(database, master_keys, progress, isWaiting);
    // Rows locked by another run are skipped at first and waited for at the end, so that no row is missed.
    if (taken === 0 && isWaiting) return progress;
    isWaiting = taken === 0;
    if (taken > 0) onProgress?.({ ...progress });
  }
}

async function rewrapBatch(
  database: SecretsDatabase,
  master_keys: MasterKey[],
  progress: Rewrapped,
  isWaiting: boolean,
): Promise<number> {
  const [master] = master_keys;
  if (!master) throw new Error('no master key is loaded');
  const unreadable: string[] = [];
  const taken = await database.transaction().execute(async (transaction) => {
    const locking = transaction
      .selectFrom('data_keys')
      .select(['id', 'project_id', 'master_key_id', 'wrapped_key'])
      .where('master_key_id', '<>', master.id)
      .$if(progress.unreadable.length > 0, (query) => query.where('id', 'not in', progress.unreadable))
      .limit(batchSize)
      .forUpdate();
    const rows = await (isWaiting ? locking : locking.skipLocked()).execute();
    for (const row of rows) {
      const rewrapped = rewrap(master, master_keys, row);
      if (rewrapped === null) {
        unreadable.push(row.id);
        continue;
      }
      const { master_key_id, wrapped_key } = rewrapped;
      await transaction.updateTable('data_keys').set({ master_key_id, wrapped_key }).where('id', '=', row.id).execute();
    }
    return rows.length;
  });
  progress.rewrapped += taken - unreadable.length;
  progress.unreadable.push(...unreadable);
  return taken;
}

function rewrap(master: MasterKey, master_keys: MasterKey[], row: WrappedKey): WrappedKey | null {
  try {
    return wrap(master, row.id, row.project_id, unwrap(master_keys, row).export());
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
