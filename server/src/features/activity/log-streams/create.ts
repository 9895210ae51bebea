// Creates a log stream. It begins with what is committed from now on. The secret of one of the kind `https` is only in this response.

import type { LogStreamRequest, NewLogStream } from '@toolgate/contract/log-streams/log-stream.ts';
import {
  amazonEndpoint,
  DEFAULT_REGION,
  defaultFlushSeconds,
  type LogStreamSource,
  MAX_LOG_STREAMS,
} from '@toolgate/contract/log-streams/rules.ts';
import { type Caller, creatorOf, type Project, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import type { StreamCursor } from '../../../database/tables.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import { callCursorNow } from '../analytics/calls-in-order.ts';
import { auditCursorNow } from '../audit/entries-in-order.ts';
import { checkCertificateUse } from '../certificates/check-use.ts';
import { makeSecret } from '../webhooks/signature.ts';
import { refuseHeaders, sealCredentials } from './credentials.ts';
import { refuseEndpoint } from './endpoint.ts';
import { jobOf } from './job.ts';
import { certificateUser, recordChange, showLogStream } from './log-stream.ts';
import { countLogStreams, insertLogStream } from './store.ts';

export async function createLogStream(app: App, caller: Caller, input: LogStreamRequest): Promise<NewLogStream> {
  // It would see calls that the caller does not.
  refuseNarrowed(caller);
  const { kind, source, headers = {}, certificate_id = null } = input;
  const region = kind === 's3' ? (input.region ?? DEFAULT_REGION) : null;
  const endpoint = input.endpoint ?? amazonEndpoint(region ?? DEFAULT_REGION);
  refuseEndpoint(kind, endpoint, app.egress.allowed());
  refuseHeaders(headers);
  const project = projectOf(caller);
  return transact(app, async (app) => {
    await lockProjectRow(app.database, project.id);
    await refuseOneMore(app, project.id);
    await checkCertificateUse(app, caller, null, certificateUser({ certificate_id, endpoint }));
    const owner = { id: newId('str'), project_id: project.id, endpoint };
    const secret = kind === 'https' ? makeSecret() : null;
    const { secret_access_key = null } = input;
    const now = new Date(app.now()).toISOString();
    const row = await insertLogStream(app.database, {
      ...owner,
      name: input.name ?? `${source} to ${kind}`,
      kind,
      source,
      header_names: Object.keys(headers),
      bucket: input.bucket ?? null,
      region,
      prefix: kind === 's3' ? (input.prefix ?? '') : null,
      access_key_id: input.access_key_id ?? null,
      certificate_id,
      flush_seconds: input.flush_seconds ?? defaultFlushSeconds(kind),
      is_enabled: input.is_enabled,
      cursor: await cursorNow(app, project, source),
      cursor_at: now,
      created_by: creatorOf(caller),
      ...{ headers: null, secret_access_key: null, secret: null, previous_secret: null },
      ...(await sealCredentials(app, owner, { headers, secret_access_key, secret })),
    });
    await enqueue(app, [jobOf(row, project.fairness_key, now)]);
    const stream = showLogStream(row, 0, app.now());
    await recordChange(app, caller, { type: 'log_stream.created', target_id: row.id, data: stream });
    return { ...stream, secret };
  });
}

function cursorNow({ database }: App, project: Project, source: LogStreamSource): Promise<StreamCursor> {
  return source === 'tool_calls' ? callCursorNow(database) : auditCursorNow(database, project.organization_id);
}

async function refuseOneMore(app: App, project_id: string): Promise<void> {
  if ((await countLogStreams(app.database, project_id)) < MAX_LOG_STREAMS) return;
  throw refuse.limitReached({
    details: {
      limit: MAX_LOG_STREAMS,
      reason: 'too_many_log_streams',
      remedy: `Delete log streams that you no longer use: a project can have at most ${MAX_LOG_STREAMS}.`,
    },
  });
}
