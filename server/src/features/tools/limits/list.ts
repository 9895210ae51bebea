// Lists the limits of a project.

import type { ToolLimit } from '@toolgate/contract/limits/limit.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showLimit } from './limit.ts';
import { pageOfLimits } from './store.ts';

export async function listLimits(app: App, caller: Caller, query: PageQuery): Promise<Page<ToolLimit>> {
  const page = await pageOfLimits(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showLimit));
}
