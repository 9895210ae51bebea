// Members who never had a session, for tests that need calls of members that were never made.

import type { Database } from '../../../src/database/tables.ts';

/** The external id of each is its id with the prefix `external-`. */
export async function insertMembers(database: Database, project_id: string, ids: readonly string[]): Promise<void> {
  await database
    .insertInto('members')
    .values(ids.map((id) => ({ id, project_id, external_id: `external-${id}` })))
    .execute();
}
