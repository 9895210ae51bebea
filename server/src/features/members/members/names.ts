// The names of members: their external ids, for analytics.

import type { App } from '../../../app.ts';
import { selectExternalIds } from './store.ts';

/** Ids that the project does not have (any more) are left out. */
export async function namesOfMembers(
  app: App,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return new Map((await selectExternalIds(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
