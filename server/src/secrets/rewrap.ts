// Moves every data key under the first master key, so that the others can be dropped. Runs beside a serving installation;
// stopped at any moment, it goes on from there when started again.

import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import { unwrap, type WrappedKey, wrap } from './data-keys.ts';
import type { MasterKey } from './master-keys.ts';

export type Rewrapped = {
  rewrapped: number;
  /** Data keys that no loaded master key opens. They stay as they are. */
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
    // Whoever else works at it is left alone at first, but waited for in the end: nothing may be left behind.
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
      const moved = moveTo(master, master_keys, row);
      if (moved === null) {
        unreadable.push(row.id);
        continue;
      }
      const { master_key_id, wrapped_key } = moved;
      await transaction.updateTable('data_keys').set({ master_key_id, wrapped_key }).where('id', '=', row.id).execute();
    }
    return rows.length;
  });
  progress.rewrapped += taken - unreadable.length;
  progress.unreadable.push(...unreadable);
  return taken;
}

function moveTo(master: MasterKey, master_keys: MasterKey[], row: WrappedKey): WrappedKey | null {
  try {
    return wrap(master, row.id, row.project_id, unwrap(master_keys, row).export());
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
