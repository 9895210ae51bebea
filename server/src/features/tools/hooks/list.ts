// Lists the hooks of a project.

import type { Hook } from '@toolgate/contract/hooks/hook.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showHook } from './hook.ts';
import { pageOfHooks } from './store.ts';

export async function listHooks(app: App, caller: Caller, query: PageQuery): Promise<Page<Hook>> {
  const page = await pageOfHooks(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showHook(row, app.now())),
  );
}
