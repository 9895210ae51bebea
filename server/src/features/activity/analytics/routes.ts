// Serves the call log and its stream, analytics, and the traces of requests.

import { analyticsRoutes } from '@toolgate/contract/analytics/routes.ts';
import { openEventStream } from '../../../api/event-stream.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { createFeeds } from './feed.ts';
import { readPayloadUsage } from './payload-usage.ts';
import { listCalls, readCall } from './read.ts';
import { type GroupNames, readAnalytics } from './read-analytics.ts';
import { readResults } from './read-results.ts';
import { listRefusedRequests, readTrace } from './read-trace.ts';
import { streamCalls } from './stream.ts';

export function serveAnalytics(server: Server, app: App, names: GroupNames): void {
  const feeds = createFeeds(app);
  implement(
    server,
    app,
    analyticsRoutes,
    {
      listToolCalls: (app, { caller, query }) => listCalls(app, caller, query),
      getToolCall: (app, { caller, params }) => readCall(app, caller, params.call_id),
      streamToolCalls: async (app, { caller, query, headers, raw, reply }) => {
        await streamCalls(app, feeds, caller, {
          filters: query,
          last_event_id: headers['last-event-id'],
          reauthorize: () => raw.reauthorize(),
          is_stopping: () => server.is_stopping,
          open: () => openEventStream(reply),
        });
        return reply;
      },
      getPayloadUsage: (app, { caller }) => readPayloadUsage(app, caller),
      getAnalytics: (app, { caller, query }) => readAnalytics(app, caller, query, names),
      getResultReport: (app, { caller, query }) => readResults(app, caller, query, names),
      listRefusedRequests: (app, { caller, query }) => listRefusedRequests(app, caller, query),
      getRequestTrace: (app, { caller, params }) => readTrace(app, caller, params.request_id),
    },
    {
      // No permit is held while the stream is open: stream.ts takes one for each query.
      streamToolCalls: { database_permit: false },
    },
  );
}
