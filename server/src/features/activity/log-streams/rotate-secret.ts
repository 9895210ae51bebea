// Makes a new secret for a log stream of the kind https. Both sign until the overlap ends.

import type { LogStreamSecretRotation, NewLogStream } from '@toolgate/contract/log-streams/log-stream.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { makeSecret } from '../webhooks/signature.ts';
import { contextOf, openCredentials, sealCredentials } from './credentials.ts';
import { lagOf } from './lag.ts';
import { recordChange, showLogStream } from './log-stream.ts';
import { lockLogStream, updateLogStreamRow } from './store.ts';

export async function rotateLogStreamSecret(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: LogStreamSecretRotation,
): Promise<NewLogStream> {
  refuseNarrowed(caller);
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockLogStream(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    if (row.kind !== 'https') throw invalidField('kind', `has no signing secret (${row.kind})`);
    const [secret, ends] = [makeSecret(), app.now() + overlap_seconds * 1000];
    const previous_secret = overlap_seconds > 0 ? await sealPrevious(app, row) : null;
    const changed = await updateLogStreamRow(app.database, project.id, id, {
      ...(await sealCredentials(app, row, { secret })),
      previous_secret,
      previous_secret_ends_at: previous_secret && new Date(ends).toISOString(),
    });
    const lag = await lagOf(app, row);
    const [before, after] = [row, changed].map((each) => showLogStream(each, lag, app.now())) as [object, NewLogStream];
    await recordChange(app, caller, { type: 'log_stream.secret_rotated', target_id: id, data: after, before });
    return { ...after, secret };
  });
}

/** A sealed secret is bound to its column. */
async function sealPrevious(app: App, row: Parameters<typeof openCredentials>[1]): Promise<string> {
  const { secret } = await openCredentials(app, row);
  return app.secrets.seal(app.database, row.project_id, contextOf(row, 'previous_secret'), secret);
}
