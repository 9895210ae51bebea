// Lists the calls of a project, newest first.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type CallFilters, checkTimes, type TimeFilters } from './filters.ts';
import { pageOfCalls } from './read-store.ts';
import { showCall, type ToolCall } from './tool-call.ts';

export async function listCalls(
  app: App,
  caller: Caller,
  { limit, cursor, ...filters }: PageQuery & CallFilters & TimeFilters,
): Promise<Page<ToolCall>> {
  checkTimes(filters);
  const page = await pageOfCalls(app.database, projectOf(caller).id, filters, { limit, cursor });
  return { ...page, data: page.data.map(showCall) };
}
