// GET /metrics for Prometheus. docs/operations.md explains the metrics.

import { publicResponses } from '../api/responses.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';

const example = `# HELP toolgate_tool_calls_total Tool calls that ended.
# TYPE toolgate_tool_calls_total counter
toolgate_tool_calls_total{transport="mcp",outcome="succeeded",code="none"} 1207
`;

export function metricsRoutes(server: Server, app: App): void {
  server.get(
    '/metrics',
    {
      config: { access: 'metrics', database_permit: false },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics in the Prometheus text format',
        description:
          "This process's counters, gauges and histograms since startup. docs/operations.md explains each one. Does not count against any project's limit.",
        tags: ['Operations'],
        response: publicResponses(
          { 200: { description: 'The metrics', content: { 'text/plain': { schema: { type: 'string' }, example } } } },
          'invalidApiKey',
          'rateLimitExceeded',
        ),
      },
    },
    async (_request, reply) => {
      const { content_type, text } = await app.metrics.render();
      return reply.type(content_type).send(text);
    },
  );
}
