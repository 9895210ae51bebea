// Serves /projects/{id}/log-streams and /audit-keys, and gives /metrics what it shows of the streams.

import { type LogStream, logStreamSecretRotation } from '@toolgate/contract/log-streams/log-stream.ts';
import { logStreamRoutes } from '@toolgate/contract/log-streams/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { createLogStream } from './create.ts';
import { lagOf, lagsOf } from './lag.ts';
import { recordChange, showLogStream } from './log-stream.ts';
import { readForMetrics } from './metrics.ts';
import { rotateLogStreamSecret } from './rotate-secret.ts';
import { deleteLogStreamRow, lockLogStream, pageOfLogStreams, selectLogStream } from './store.ts';
import { testLogStream } from './test-stream.ts';
import { updateLogStream } from './update.ts';

export function serveLogStreams(server: Server, app: App): void {
  app.metrics.log_streams.setReader(() => readForMetrics(app));
  implement(
    server,
    app,
    logStreamRoutes,
    {
      createLogStream: (app, { caller, body }) => createLogStream(app, caller, body),
      listLogStreams: (app, { caller, query }) => listLogStreams(app, caller, query),
      getLogStream: (app, { caller, params }) => readLogStream(app, caller, params.log_stream_id),
      updateLogStream: (app, { caller, params, body }) => updateLogStream(app, caller, params.log_stream_id, body),
      deleteLogStream: (app, { caller, params }) => deleteLogStream(app, caller, params.log_stream_id),
      rotateLogStreamSecret: (app, { caller, params, body = logStreamSecretRotation.parse({}) }) =>
        rotateLogStreamSecret(app, caller, params.log_stream_id, body),
      testLogStream: (app, { caller, params }) => testLogStream(app, caller, params.log_stream_id),
      listAuditKeys: async (app, { raw }) =>
        app.lookups.run(clientNetwork(raw.ip), async () => ({
          keys: await app.secrets.publishedAuditKeys(app.database),
        })),
    },
    // It waits for the receiver, and takes a permit only where it reads the database.
    { testLogStream: { database_permit: false } },
  );
}

async function listLogStreams(app: App, caller: Caller, query: PageQuery): Promise<Page<LogStream>> {
  const page = await pageOfLogStreams(app.database, projectOf(caller).id, query);
  const lags = await lagsOf(app, page.rows);
  return makePage(
    page,
    page.rows.map((row, i) => showLogStream(row, lags[i] ?? 0, app.now())),
  );
}

async function readLogStream(app: App, caller: Caller, id: string): Promise<LogStream> {
  const row = await getRow(app, caller, id, selectLogStream);
  return showLogStream(row, await lagOf(app, row), app.now());
}

async function deleteLogStream(app: App, caller: Caller, id: string): Promise<void> {
  refuseNarrowed(caller);
  const project = projectOf(caller);
  await transact(app, async (app) => {
    const row = await lockLogStream(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    await deleteLogStreamRow(app.database, project.id, id);
    await recordChange(app, caller, {
      type: 'log_stream.deleted',
      target_id: id,
      data: showLogStream(row, 0, app.now()),
    });
  });
}
