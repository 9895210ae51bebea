// Master keys wrap data keys. The first one wraps, all of them unwrap. They are not in the database, which stores only a check
// value of each, so that a start with a wrong or missing key is refused.

import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomBase62 } from '../base62.ts';
import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { loadOrMakeSecretFile } from './secret-file.ts';
import { sameBytes } from './tokens.ts';

/** A KeyObject, because a logged KeyObject does not show its bytes. */
export type MasterKey = { id: string; key: KeyObject };

/** Parses `id:base64,id2:base64`. Problems never contain the key. */
export function parseMasterKeys(text: string): { keys: MasterKey[]; problems: string[] } {
  const keys: MasterKey[] = [];
  const problems: string[] = [];
  const entries = text.trim() === '' ? [] : text.split(',');
  for (const [index, entry] of entries.entries()) {
    const [, id, key] = /^([A-Za-z0-9_-]{1,32}):(.*)$/s.exec(entry.trim()) ?? [];
    if (id === undefined || key === undefined) {
      problems.push(`entry ${index + 1} is not id:base64 with an id of 1 to 32 letters, digits, "_" or "-"`);
    } else if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(key)) {
      problems.push(`the key "${id}" is not 32 bytes of base64`);
    } else if (keys.some((other) => other.id === id)) {
      problems.push(`the id "${id}" is given twice`);
    } else {
      keys.push({ id, key: createSecretKey(key, 'base64') });
    }
  }
  return { keys, problems };
}

/** The key of the embedded database, in `master.key`, in the format of the setting, so that it can be moved there. */
export async function loadOrMakeMasterKey(data_dir: string): Promise<MasterKey> {
  const path = join(data_dir, 'master.key');
  const text = await loadOrMakeSecretFile(path, () => `${randomBase62(8)}:${randomBytes(32).toString('base64')}`);
  const { keys, problems } = parseMasterKeys(text);
  const [key, ...more] = keys;
  if (problems.length > 0) throw new Error(`${path} is not usable: ${problems.join('; ')}`);
  if (!key || more.length > 0) throw new Error(`${path} is not usable: it must hold one key`);
  return key;
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
    const checks = await transaction.selectFrom('master_key_checks').select(['master_key_id', 'check_value']).execute();
    const known = new Map(checks.map((check) => [check.master_key_id, check.check_value]));
    for (const { id, key } of master_keys) {
      const expected = known.get(id);
      if (expected === undefined || !sameBytes(expected, checkValue(key))) {
        throw new Error(`master key "${id}" is not the key this database knows by that id: a new key needs a new id`);
      }
    }
    const used = await transaction.selectFrom('data_keys').select('master_key_id').distinct().execute();
    const missing = used.map((row) => row.master_key_id).filter((id) => master_keys.every((key) => key.id !== id));
    if (missing.length > 0) {
      const names = missing.sort().map((id) => `"${id}"`);
      throw new Error(
        `secrets are sealed under master key ${names.join(', ')}: keep it loaded until they are re-wrapped`,
      );
    }
  });
}

function checkValue(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('toolgate master key check v1').digest();
}
