// Lists the assertion keys of a project.

import type { AssertionKey } from '@toolgate/contract/assertion-keys/assertion-key.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showAssertionKey } from './assertion-key.ts';
import { pageOfAssertionKeys } from './store.ts';

export async function listAssertionKeys(app: App, caller: Caller, query: PageQuery): Promise<Page<AssertionKey>> {
  const page = await pageOfAssertionKeys(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showAssertionKey));
}
