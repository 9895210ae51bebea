// Changes a log stream, or switches it off or on. Where it is in the log stays as it is.

import { isDeepStrictEqual } from 'node:util';
import type { LogStream, LogStreamChange } from '@toolgate/contract/log-streams/log-stream.ts';
import { amazonEndpoint, DEFAULT_REGION, foreignField, missingField } from '@toolgate/contract/log-streams/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import { checkCertificateUse } from '../certificates/check-use.ts';
import { targetOf } from '../webhooks/url.ts';
import { hasCredentials, refuseHeaders, sealCredentials } from './credentials.ts';
import { refuseEndpoint } from './endpoint.ts';
import { jobOf } from './job.ts';
import { lagOf } from './lag.ts';
import { certificateUser, type LogStreamRow, recordChange, showLogStream } from './log-stream.ts';
import { type LogStreamColumns, lockLogStream, type SealedColumns, updateLogStreamRow } from './store.ts';

export async function updateLogStream(
  app: App,
  caller: Caller,
  id: string,
  change: LogStreamChange,
): Promise<LogStream> {
  refuseNarrowed(caller);
  if (change.headers) refuseHeaders(change.headers);
  const project = projectOf(caller);
  return transact(app, async (app) => {
    // Before the row, as the worker does: the next attempt is at once, with what is saved here.
    await enqueue(app, [jobOf({ id }, project.fairness_key, new Date(app.now()).toISOString())]);
    const row = await lockLogStream(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    const before = showLogStream(row, await lagOf(app, row), app.now());
    const columns = await columnsOf(app, row, change);
    if (columns === null) return before;
    const { certificate_id = row.certificate_id, endpoint = row.endpoint } = columns;
    await checkCertificateUse(app, caller, certificateUser(row), certificateUser({ certificate_id, endpoint }));
    // One that is switched on again starts from zero: its earlier days of failure do not count.
    const reset = change.is_enabled ? { disabled_reason: null, failing_since: null, last_error: null } : {};
    const changed = await updateLogStreamRow(app.database, project.id, id, { ...columns, ...reset, failures: 0 });
    const after = showLogStream(changed, before.lag_seconds, app.now());
    await recordChange(app, caller, { type: 'log_stream.updated', target_id: id, data: after, before });
    return after;
  });
}

/** Null if nothing changes: a client that sends the credentials it has given changes nothing. */
async function columnsOf(
  app: App,
  row: LogStreamRow & SealedColumns,
  change: LogStreamChange,
): Promise<LogStreamColumns | null> {
  const { headers, secret_access_key, ...fields } = change;
  const foreign = foreignField(row.kind, change);
  if (foreign !== undefined) throw invalidField(foreign, `is not a field of the kind ${row.kind}`);
  const next = withDefaults(row, fields);
  const missing = missingField(row.kind, { ...next, secret_access_key: secret_access_key ?? row.secret_access_key });
  if (missing !== undefined) throw invalidField(missing, `is required for the kind ${row.kind}`);
  if (next.endpoint !== row.endpoint) {
    refuseEndpoint(row.kind, next.endpoint, app.egress.allowed());
    if (row.headers !== null && headers === undefined && !isSameOrigin(row.endpoint, next.endpoint))
      throw invalidField(
        'headers',
        'must be sent again when the origin of endpoint changes, because they would be sent there',
      );
  }
  const given = { ...(headers && { headers }), ...(secret_access_key && { secret_access_key }) };
  const isSame = isDeepStrictEqual(changeable(next), changeable(row)) && (await hasCredentials(app, row, given));
  if (isSame) return null;
  const sealed = await sealCredentials(app, next, given);
  return { ...changeable(next), ...(headers && { header_names: Object.keys(headers) }), ...sealed };
}

/** The row with the changes. Null is the default of a field that has one. */
function withDefaults(row: LogStreamRow, change: Omit<LogStreamChange, 'headers' | 'secret_access_key'>) {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const next = { ...row, ...given } as LogStreamRow & { endpoint: string | null };
  if (row.kind !== 's3') return { ...next, endpoint: next.endpoint ?? '' };
  const region = next.region ?? DEFAULT_REGION;
  return { ...next, region, prefix: next.prefix ?? '', endpoint: next.endpoint ?? amazonEndpoint(region) };
}

function changeable(row: LogStreamRow): LogStreamColumns {
  const { name, endpoint, bucket, region, prefix, access_key_id, certificate_id, flush_seconds, is_enabled } = row;
  return { name, endpoint, bucket, region, prefix, access_key_id, certificate_id, flush_seconds, is_enabled };
}

const isSameOrigin = (one: string, other: string) => targetOf(one).origin === targetOf(other).origin;
