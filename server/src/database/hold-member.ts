// What writes a row that names a member holds the member first, unless a foreign key does: the deletion of the member then waits, and
// finds the row. If there is no such member any more, nothing may be written.

import { sql } from 'kysely';
import type { Database } from './tables.ts';

/** In a transaction, until whose end the member is not deleted. Returns whether there is one. Ids are unique in all projects. */
export async function holdMember(database: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select hold_member(${id}) as exists`.execute(database);
  return rows[0]?.exists === true;
}
