// The key of the audit log's MACs. Sealed under the installation's data key, so that a new master key needs no new MACs.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretsDatabase } from '../database/secrets-tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import type { Envelope } from './envelope.ts';

const ID = 'audit';
const place = { table: 'audit_keys', column: 'sealed', row_id: ID };

export async function findAuditKey(database: SecretsDatabase, envelope: Envelope): Promise<KeyObject | null> {
  const row = await database.selectFrom('audit_keys').select('sealed').where('id', '=', ID).executeTakeFirst();
  if (!row) return null;
  try {
    return createSecretKey(await envelope.open(database, null, place, row.sealed));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new Error('the key of the audit log cannot be opened: it was changed in the database', { cause: error });
  }
}

/** Made at the first start. Made again, nothing that it signed verifies: that is how its removal is found. */
export async function findOrMakeAuditKey(database: SecretsDatabase, envelope: Envelope): Promise<KeyObject> {
  const known = await findAuditKey(database, envelope);
  if (known) return known;
  await database.transaction().execute(async (transaction) => {
    const sealed = await envelope.seal(transaction, null, place, randomBytes(32));
    await transaction
      .insertInto('audit_keys')
      .values({ id: ID, sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  const made = await findAuditKey(database, envelope);
  if (!made) throw new Error('the key of the audit log that was just made is not there');
  return made;
}
