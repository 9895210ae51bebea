// /projects/{id}/analytics: calls, errors and durations over time.

import { projectParams } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { analyticsQuery, analyticsSchema } from './analytics.ts';
import { type GroupNames, readAnalytics } from './read-analytics.ts';
import { docs } from './route-docs.ts';

export function rollupRoutes(server: Server, app: App, names: GroupNames): void {
  server.get(
    '/api/v1/projects/:project_id/analytics',
    {
      config: { access: 'read' },
      schema: {
        ...docs.getAnalytics,
        tags: ['Analytics'],
        params: projectParams,
        querystring: analyticsQuery,
        response: responses({ 200: analyticsSchema }, 'validation'),
      },
    },
    (request) => readAnalytics(app, request.caller, request.query, names),
  );
}
