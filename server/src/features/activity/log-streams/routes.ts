// Serves /projects/{id}/log-streams and /audit-keys, and gives /metrics what it shows of the streams.

import { logStreamSecretRotation } from '@toolgate/contract/log-streams/log-stream.ts';
import { logStreamRoutes } from '@toolgate/contract/log-streams/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { createLogStream } from './create.ts';
import { deleteLogStream } from './delete.ts';
import { listLogStreams, readLogStream } from './list.ts';
import { readForMetrics } from './metrics.ts';
import { rotateLogStreamSecret } from './rotate-secret.ts';
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
