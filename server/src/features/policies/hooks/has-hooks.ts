// Whether a project has hooks: then more is kept of what a sign-in says of a person.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';

export async function hasHooks({ database }: App, project_id: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from hooks where project_id = ${project_id} and is_enabled) as found`.execute(database);
  return rows[0]?.found === true;
}
