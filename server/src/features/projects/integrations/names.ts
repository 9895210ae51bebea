// The names of integrations, for analytics.

import type { App } from '../../../app.ts';
import { selectIntegrationNames } from './store.ts';

/** Ids that the project does not have (any more) are left out. */
export async function namesOfIntegrations(
  app: App,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return new Map((await selectIntegrationNames(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
