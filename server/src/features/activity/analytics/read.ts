// Reads the call log: a page of it, and one call. An admin also sees what was said, if it was kept.

import type { ToolCallDetails, ToolCallEntry, ToolCallQuery } from '@toolgate/contract/analytics/tool-call.ts';
import { type Caller, hasPermission, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page } from '../../../database/page.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { refuse } from '../../../errors/errors.ts';
import { checkTimes } from './filters.ts';
import { openPayload } from './payload.ts';
import { pageOfCalls, selectCall, selectPayload } from './read-store.ts';
import { showCall } from './tool-call.ts';

export async function readCall(app: App, caller: Caller, id: string): Promise<ToolCallDetails> {
  const { id: project_id } = projectOf(caller);
  const row = await readInTime(app, ({ database }) => selectCall(database, project_id, id));
  if (!row) throw refuse.notFound();
  const call = showCall(row);
  if (!mayReadPayload(caller)) return call;
  const payload = await selectPayload(app.database, project_id, row);
  return payload ? { ...call, ...(await openPayload(app, project_id, id, payload)) } : call;
}

export function mayReadPayload(caller: Caller): boolean {
  return caller.kind !== 'member' && hasPermission(caller, 'admin');
}

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
