// The key of the audit log's MACs. Sealed under the installation's data key, so that a new master key needs no new MACs.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretsDatabase } from '../database/tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import type { Envelope } from './envelope.ts';

const ID = 'audit';
const context = { table: 'audit_keys', column: 'sealed', row_id: ID };

export async function findAuditKey(database: SecretsDatabase, envelope: Envelope): Promise<KeyObject | null> {
  const row = await database.selectFrom('audit_keys').select('sealed').where('id', '=', ID).executeTakeFirst();
  if (!row) return null;
  try {
    return createSecretKey(await envelope.open(database, null, context, row.sealed));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new Error("the audit log's key cannot be decrypted: it was changed in the database", { cause: error });
  }
}

/** Created at the first start. A new key verifies no older MAC, so the removal of the key is detected. */
export async function findOrCreateAuditKey(database: SecretsDatabase, envelope: Envelope): Promise<KeyObject> {
  const existing = await findAuditKey(database, envelope);
  if (existing) return existing;
  await database.transaction().execute(async (transaction) => {
    const sealed = await envelope.seal(transaction, null, context, randomBytes(32));
    await transaction
      .insertInto('audit_keys')
      .values({ id: ID, sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  const created = await findAuditKey(database, envelope);
  if (!created) throw new Error("the audit log's key was not found after it was created");
  return created;
}
