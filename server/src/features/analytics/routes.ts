// /projects/{id}/tool-calls: the call log, and its stream.

import { z } from 'zod';
import { openEventStream } from '../../api/event-stream.ts';
import { pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { createFeeds } from './feed.ts';
import { callFilters, timeFilters } from './filters.ts';
import { listCalls } from './list.ts';
import { readCall } from './read.ts';
import { docs } from './route-docs.ts';
import { streamCalls } from './stream.ts';
import { toolCallSchema, toolCallWithPayloadSchema } from './tool-call.ts';

const tags = ['Call log'];
const calls = '/api/v1/projects/:project_id/tool-calls';

const EXAMPLE = 'event: tool_call\nid: call_4fTq0cDkXv8mWn2ZbR6yLs\ndata: {"id":"call_4fTq0cDkXv8mWn2ZbR6yLs",…}\n\n';

const eventStream = {
  description:
    'Events `tool_call`: `id` is the id of the call, `data` the call as JSON. A comment is sent every 15 seconds.',
  content: { 'text/event-stream': { schema: z.string(), example: EXAMPLE } },
};

export function analyticsRoutes(server: Server, app: App): void {
  server.get(
    calls,
    {
      config: { access: 'read' },
      schema: {
        ...docs.listToolCalls,
        tags,
        params: projectParams,
        querystring: pageQuery.extend({ ...callFilters, ...timeFilters }),
        response: responses({ 200: pageOf(toolCallSchema) }, 'validation'),
      },
    },
    (request) => listCalls(app, request.caller, request.query),
  );
  server.get(
    `${calls}/:call_id`,
    {
      config: { access: 'read' },
      schema: {
        ...docs.getToolCall,
        tags,
        params: projectParams.extend({ call_id: z.string().meta({ description: 'Id of the call' }) }),
        response: responses({ 200: toolCallWithPayloadSchema }),
      },
    },
    (request) => readCall(app, request.caller, request.params.call_id),
  );
  streamRoute(server, app);
}

function streamRoute(server: Server, app: App): void {
  const feeds = createFeeds(app);
  server.get(
    `${calls}/stream`,
    {
      // No permit is held while the stream is open: stream.ts takes one for each query.
      config: { access: 'read', database_permit: false },
      schema: {
        ...docs.streamToolCalls,
        tags,
        params: projectParams,
        querystring: z.strictObject(callFilters),
        headers: z.looseObject({
          'last-event-id': z
            .string()
            .optional()
            .meta({ description: 'Continue after this call; if unknown, with now' }),
        }),
        response: responses({ 200: eventStream }, 'validation', 'limitReached'),
      },
    },
    async (request, reply) => {
      await streamCalls(app, feeds, request.caller, {
        filters: request.query,
        last_event_id: request.headers['last-event-id'],
        reauthorize: () => request.reauthorize(),
        is_stopping: () => server.is_stopping,
        open: () => openEventStream(reply),
      });
      return reply;
    },
  );
}
