// Lists the keys of a project, or of one of its integrations, and finds the names of keys, for analytics.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showKey } from './api-key.ts';
import { type KeyFilter, pageOfKeys, selectKeyNames } from './store.ts';

export async function listKeys(app: App, caller: Caller, filter: KeyFilter, query: PageQuery): Promise<Page<ApiKey>> {
  const page = await pageOfKeys(app.database, projectOf(caller).id, filter, query);
  return makePage(
    page,
    page.rows.map((row) => showKey(row, app.now())),
  );
}

/** Ids that the project does not have (any more) are left out. */
export async function namesOfKeys(app: App, project_id: string, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await selectKeyNames(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
