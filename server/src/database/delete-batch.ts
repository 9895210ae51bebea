// Deletes rows that are old enough, for retention: a batch at a time, so that no statement takes long.

import { type RawBuilder, sql } from 'kysely';
import type { Database, Tables } from './tables.ts';

const BATCH_SIZE = 1000;

/**
 * Deletes at most a batch of the rows that meet the condition. Returns whether there may be more. Rows that another transaction
 * has locked are left for the next time: after a wait for one that is used again, it would be deleted although the condition no
 * longer holds. Not for partitioned tables: rows of different partitions can have the same ctid.
 */
export async function deleteBatch(
  database: Database,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${condition} limit ${BATCH_SIZE} for update skip locked
    ))`.execute(database);
  return numAffectedRows === BigInt(BATCH_SIZE);
}
