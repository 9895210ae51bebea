// Returns the member with this external id, for a sign-in by OAuth. The first sign-in creates the member.

import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { upsertMember } from './store.ts';

export async function findOrCreateMember(app: App, project_id: string, external_id: string): Promise<string> {
  const now = new Date(app.now()).toISOString();
  return upsertMember(app.database, { id: newId('mem'), project_id, external_id }, now);
}
