// Lists the calls of a project, newest first.

import type { ToolCallEntry, ToolCallQuery } from '@toolgate/contract/analytics/tool-call.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page } from '../../../database/page.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { checkTimes } from './filters.ts';
import { pageOfCalls } from './read-store.ts';
import { showCall } from './tool-call.ts';

export async function listCalls(
  app: App,
  caller: Caller,
  { limit, cursor, ...filters }: ToolCallQuery,
): Promise<Page<ToolCallEntry>> {
  checkTimes(filters);
  const page = await readInTime(app, ({ database }) =>
    pageOfCalls(database, projectOf(caller).id, filters, { limit, cursor }),
  );
  return makePage(page, page.rows.map(showCall));
}
