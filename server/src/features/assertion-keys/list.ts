// Lists the assertion keys of a project.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type AssertionKey, showAssertionKey } from './assertion-key.ts';
import { pageOfAssertionKeys } from './store.ts';

export async function listAssertionKeys(app: App, caller: Caller, query: PageQuery): Promise<Page<AssertionKey>> {
  const page = await pageOfAssertionKeys(app.database, projectOf(caller).id, query);
  return { ...page, data: page.data.map(showAssertionKey) };
}
