// Finds an integration, for what belongs to one, and the names of integrations, for analytics.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { selectIntegration, selectIntegrationNames } from './store.ts';

export async function findIntegration(app: App, caller: Caller, id: string) {
  return selectIntegration(app.database, projectOf(caller).id, id);
}

/** Ids that the project does not have (any more) are left out. */
export async function namesOfIntegrations(
  app: App,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return new Map((await selectIntegrationNames(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
