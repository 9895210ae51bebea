// Lists the keys of a project, or of one of its integrations.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showKey } from './api-key.ts';
import { type KeyFilter, pageOfKeys } from './store.ts';

export async function listKeys(app: App, caller: Caller, filter: KeyFilter, query: PageQuery): Promise<Page<ApiKey>> {
  const page = await pageOfKeys(app.database, projectOf(caller).id, filter, query);
  return makePage(
    page,
    page.rows.map((row) => showKey(row, app.now())),
  );
}
