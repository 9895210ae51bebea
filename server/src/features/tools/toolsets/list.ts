// Lists the toolsets of a project.

import type { Toolset } from '@toolgate/contract/toolsets/toolset.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { pageOfToolsets } from './store.ts';
import { showToolset } from './toolset.ts';

export async function listToolsets(app: App, caller: Caller, query: PageQuery): Promise<Page<Toolset>> {
  const page = await pageOfToolsets(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showToolset));
}
