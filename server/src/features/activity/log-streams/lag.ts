// How far log streams are behind: the age of the oldest entry that the receiver has not accepted.

import type { App } from '../../../app.ts';
import type { AuditCursor, CallCursor, Row } from '../../../database/tables.ts';
import { selectOldestUnread } from '../analytics/calls-in-order.ts';
import { selectOldestUnreadEntries } from '../audit/entries-in-order.ts';

export type Reading = Pick<Row<'log_streams'>, 'project_id' | 'source' | 'cursor' | 'cursor_at'>;

export const callReader = ({ project_id, cursor, cursor_at }: Reading) => ({
  ...{ project_id, cursor_at },
  cursor: cursor as CallCursor,
});
export const auditReader = ({ project_id, cursor }: Reading) => ({ project_id, cursor: cursor as AuditCursor });

/** In whole seconds, in the order of the streams. */
export async function lagsOf({ database, now }: Pick<App, 'database' | 'now'>, streams: Reading[]): Promise<number[]> {
  const [calls, entries] = [streams.filter(isOfCalls), streams.filter((stream) => !isOfCalls(stream))];
  const oldest = new Map<Reading, string | null>();
  const [ofCalls, ofEntries] = [
    await selectOldestUnread(database, calls.map(callReader)),
    await selectOldestUnreadEntries(database, entries.map(auditReader)),
  ];
  for (const [i, stream] of calls.entries()) oldest.set(stream, ofCalls[i] ?? null);
  for (const [i, stream] of entries.entries()) oldest.set(stream, ofEntries[i] ?? null);
  return streams.map((stream) => secondsSince(oldest.get(stream) ?? null, now()));
}

export async function lagOf(app: Pick<App, 'database' | 'now'>, stream: Reading): Promise<number> {
  const [lag = 0] = await lagsOf(app, [stream]);
  return lag;
}

const isOfCalls = ({ source }: Reading) => source === 'tool_calls';

function secondsSince(time: string | null, now: number): number {
  return time === null ? 0 : Math.max(0, Math.round((now - Date.parse(time)) / 1000));
}
