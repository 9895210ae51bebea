// Finds a member for features that members/ itself depends on.

import type { App } from '../../../app.ts';
import { selectMemberRef } from './store.ts';

export async function findMember(
  app: App,
  project_id: string,
  member_id: string,
): Promise<{ id: string; project_id: string; external_id: string } | null> {
  return (await selectMemberRef(app.database, project_id, member_id)) ?? null;
}
