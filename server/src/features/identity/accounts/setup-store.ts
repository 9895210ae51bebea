// SQL of the links for the first set-up.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

/** Each start makes one. More are never of use. */
const MAX_LINKS = 20;

export async function insertLink(database: Database, link: { hash: Buffer; created_at: string; expires_at: string }) {
  await database.insertInto('setup_links').values(link).execute();
  await sql`delete from setup_links where hash in (
    select hash from setup_links order by created_at desc offset ${MAX_LINKS})`.execute(database);
}

export async function isValidLink(database: Database, hash: Buffer, now: string): Promise<boolean> {
  const row = await database
    .selectFrom('setup_links')
    .select('hash')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLinks(database: Database): Promise<void> {
  await database.deleteFrom('setup_links').execute();
}

/** Only one transaction at a time creates the first owner. */
export async function lockSetup(database: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first owner', 0))`.execute(database);
}
