// Master keys wrap data keys. The first one wraps, all of them unwrap. They are not in the database, which stores only a check
// value of each, so that a start with a wrong or missing key is refused.

import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomBase62 } from '../base62.ts';
import { type MasterKey, parseMasterKeys } from '../config/master-keys.ts';
import type { SecretsDatabase } from '../database/tables.ts';
import { loadOrMakeSecretFile } from './secret-file.ts';
import { sameBytes } from './tokens.ts';

export const masterKeyFile = (data_dir: string) => join(data_dir, 'master.key');

/** A new key in the format of the setting. */
export const newMasterKey = () => `${randomBase62(8)}:${randomBytes(32).toString('base64')}`;

/** The keys of the embedded database, in `master.key`, in the format of the setting, so that they can be moved there. */
export async function loadOrMakeMasterKeys(data_dir: string): Promise<MasterKey[]> {
  const path = masterKeyFile(data_dir);
  const { keys, problems } = parseMasterKeys(await loadOrMakeSecretFile(path, newMasterKey));
  if (problems.length > 0) throw new Error(`${path} cannot be used: ${problems.join('; ')}`);
  if (keys.length === 0) throw new Error(`${path} cannot be used: it contains no key`);
  return keys;
}

/** Throws when a key differs from the one stored under its id, or when a key that is still in use is missing. */
export async function verifyMasterKeys(database: SecretsDatabase, master_keys: MasterKey[]): Promise<void> {
  // One transaction: a refused start leaves no check value of a key that was never used.
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('master_key_checks')
      .values(master_keys.map(({ id, key }) => ({ master_key_id: id, check_value: checkValue(key) })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await compareMasterKeys(transaction, master_keys);
  });
}

/** The same without storing anything: a key that the database does not know yet is accepted. */
export async function compareMasterKeys(database: SecretsDatabase, master_keys: MasterKey[]): Promise<void> {
  const checks = await database.selectFrom('master_key_checks').select(['master_key_id', 'check_value']).execute();
  const known = new Map(checks.map((check) => [check.master_key_id, check.check_value]));
  for (const { id, key } of master_keys) {
    const expected = known.get(id);
    if (expected !== undefined && !sameBytes(expected, checkValue(key))) {
      throw new Error(
        `master key "${id}" is not the key that this database knows by that id: a new key needs a new id`,
      );
    }
  }
  const missing = (await findUsedMasterKeys(database)).filter((id) => master_keys.every((key) => key.id !== id));
  if (missing.length > 0) {
    const names = missing.map((id) => `"${id}"`);
    throw new Error(
      `secrets are encrypted with master key ${names.join(', ')}: keep it loaded until they are rewrapped`,
    );
  }
}

/** The ids of the master keys without which some secret cannot be opened. */
export async function findUsedMasterKeys(database: SecretsDatabase): Promise<string[]> {
  const used = await database.selectFrom('data_keys').select('master_key_id').distinct().execute();
  return used.map(({ master_key_id }) => master_key_id).sort();
}

function checkValue(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('toolgate master key check v1').digest();
}
