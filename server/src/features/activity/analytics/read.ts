// Reads one call. An admin also sees what was said, if it was kept.

import type { ToolCallDetails } from '@toolgate/contract/analytics/tool-call.ts';
import { type Caller, hasPermission, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { refuse } from '../../../errors/errors.ts';
import { openPayload } from './payload.ts';
import { selectCall, selectPayload } from './read-store.ts';
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
