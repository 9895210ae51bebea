// Rows of the call log have the transaction that inserted them. In a restored database those numbers are of another cluster, and
// new transactions may have lower ones: the streams would not find new calls.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

/** Sets them to the first transaction of every cluster, which every snapshot sees. */
export async function resetTransactionIds(database: Database): Promise<void> {
  await sql`update tool_calls set transaction_id = '3'::xid8, oldest_transaction_id = '3'::xid8`.execute(database);
}
