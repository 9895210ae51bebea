// The names of API keys, for analytics.

import type { App } from '../../../app.ts';
import { selectKeyNames } from './store.ts';

/** Ids that the project does not have (any more) are left out. */
export async function namesOfKeys(app: App, project_id: string, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await selectKeyNames(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
