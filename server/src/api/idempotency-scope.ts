// Whose an Idempotency-Key is: the same key of another owner is a different key. What is stored for a member is deleted with them.

import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** `who`: the member, key or machine. `account_id`: a person who acts for one. */
export function scopeOf(project_id: string, integration_id: string | null, who: string, account_id?: string): string {
  return [project_id, integration_id ?? '-', who, account_id].filter((part) => part !== undefined).join(' ');
}

export async function deleteResponsesOf(
  database: Database,
  { project_id, member_id }: { project_id: string; member_id: string },
): Promise<void> {
  // As the index is defined.
  const who = sql`split_part(scope, ' ', 3)`;
  await sql`
    delete from idempotency_keys where ${who} = ${member_id} and ${who} like 'mem\\_%'
      and split_part(scope, ' ', 1) = ${project_id}`.execute(database);
}
