// /projects/{id}/requests/{request_id}: the trace of one request.

import type { z } from 'zod';
import { limitedText, projectParams } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { readTrace } from './read-trace.ts';
import { traceSchema } from './trace.ts';

const params = projectParams.extend({
  request_id: limitedText(64).meta({
    description: '`X-Request-Id` of the response, also `request_id` of an error',
    example: 'req_7hGs2mXcVb9nQw4ZtR1yKd',
  }),
});

export function traceRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/requests/:request_id',
    {
      config: { access: 'read' },
      schema: {
        operationId: 'getRequestTrace',
        summary: 'Explain why a request was refused, step by step',
        description:
          'Shows how far a request came: each step with its outcome, and for the one that failed a reason for programs and a remedy for people. ' +
          'There is a trace of every tool call, and of every other refused request of a known credential, for 24 hours; at most 60 a minute of one error code. ' +
          'Why an API could not be reached is shown to `admin` only.',
        tags: ['Requests'],
        params,
        response: responses({ 200: traceSchema }, 'validation'),
      },
    },
    (request) => readTrace(app, request.caller, (request.params as z.infer<typeof params>).request_id),
  );
}
