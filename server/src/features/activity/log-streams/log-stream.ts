// A log stream as it is stored and as the API shows it. Its secrets are never shown, and of its headers only the names are.

import { logStreamEvents } from '@toolgate/contract/log-streams/events.ts';
import type { LogStream } from '@toolgate/contract/log-streams/log-stream.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../events/record.ts';

export const logStreamColumns = [
  'id',
  'project_id',
  'name',
  'kind',
  'source',
  'endpoint',
  'header_names',
  'bucket',
  'region',
  'prefix',
  'access_key_id',
  'certificate_id',
  'flush_seconds',
  'is_enabled',
  'disabled_reason',
  'failing_since',
  'previous_secret_ends_at',
  'last_error',
  'last_sent_at',
  'last_entry_id',
  'cursor',
  'cursor_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type LogStreamRow = Pick<Row<'log_streams'>, (typeof logStreamColumns)[number]>;

/** Without its sealed columns, if it was read with them. */
export function showLogStream(row: LogStreamRow, lag_seconds: number, now: number): LogStream {
  const shown = Object.fromEntries(shownColumns.map((name) => [name, row[name]])) as Omit<
    LogStream,
    'object' | 'lag_seconds'
  >;
  const { previous_secret_ends_at: ends } = row;
  const overlaps = ends !== null && Date.parse(ends) > now;
  return { object: 'log_stream', ...shown, lag_seconds, previous_secret_ends_at: overlaps ? ends : null };
}

const shownColumns = logStreamColumns.filter((name) => name !== 'cursor' && name !== 'cursor_at');

/** As its certificate is checked. */
export const certificateUser = ({ certificate_id, endpoint }: Pick<LogStreamRow, 'certificate_id' | 'endpoint'>) => ({
  certificate_id,
  hosts: { endpoint },
});

/** The event of log streams, and the changes to them that have an audit entry only. */
type AuditOnly = 'log_stream.created' | 'log_stream.updated' | 'log_stream.secret_rotated' | 'log_stream.deleted';

export const { recordChange } = recorderOf<typeof logStreamEvents, AuditOnly>(logStreamEvents);
