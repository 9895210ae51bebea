// Records a change to an organization or its people. It belongs to no project, so it has no event and no webhook receives it.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { type Actor, appendEntries, newEntry } from './append.ts';

/** In the transaction of the change. */
export async function recordOfOrganization(
  app: App,
  actor: Actor,
  organization_id: string,
  change: { action: string; target_id: string; before: object | null; after: object | null },
): Promise<void> {
  if (!app.database.isTransaction)
    throw new Error(`${change.action} must be recorded in the transaction of its change`);
  const entry = newEntry(app, actor, { id: null, organization_id }, change);
  await sql`with ${appendEntries(app.audit_key, [entry])} select`.execute(app.database);
}
