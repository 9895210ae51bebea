// /healthz: the process runs. /readyz: it accepts requests, which needs the database, and is not stopping.

import { z } from 'zod';
import { publicResponses } from '../api/responses.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';
import { MAX_CLOCK_OFFSET_MS, wallClockOffset } from '../database/clock.ts';
import { refuse } from '../errors/errors.ts';
import { listHeads } from '../features/activity/audit/head.ts';
import { isRootBearer } from './authenticate.ts';

const problem = z.strictObject({
  reason: z.enum(['clock_offset', 'redis_unavailable']).meta({ description: 'The problem, for programs' }),
  message: z.string().meta({ description: 'What is wrong and what it means' }),
});

const readiness = z
  .strictObject({
    status: z.enum(['ok', 'degraded']).meta({ description: 'Requests are accepted. `degraded`: there are problems' }),
    problems: z
      .array(problem)
      .meta({ description: 'Problems that the operator should check. Requests are still served' }),
    dropped_rows: z.int().meta({
      description:
        'Rows of the call log and other tables that could not be written since startup, as in `toolgate_dropped_rows_total`',
    }),
    audit_heads: z
      .array(
        z.strictObject({
          organization_id: z.string(),
          seq: z.int().meta({ description: "Its position in the organization's chain" }),
          hash: z.string().meta({ description: 'Its hash; no earlier entry can change without changing it' }),
        }),
      )
      .optional()
      .meta({ description: "Only for the root key: each organization's last audit entry" }),
    egress_allow: z.array(z.string()).optional().meta({
      description:
        'Only for the root key: the additional destinations that tools and webhooks can reach now, from `TOOLGATE_EGRESS_ALLOW`',
    }),
  })
  .meta({ id: 'Readiness' });

type Problem = z.infer<typeof problem>;

function findProblems(app: App): Problem[] {
  const problems: Problem[] = [];
  const offset_ms = wallClockOffset(app.now());
  if (Math.abs(offset_ms) > MAX_CLOCK_OFFSET_MS) {
    const seconds = Math.round(Math.abs(offset_ms) / 1000);
    const direction = offset_ms > 0 ? 'ahead of' : 'behind';
    const message = `This machine's clock is ${seconds} s ${direction} the database's, which is used instead. Log lines have the wrong time.`;
    problems.push({ reason: 'clock_offset', message });
  }
  if (app.isRedisUp?.() === false) {
    const message =
      'Redis does not respond or accepts no writes. This process counts requests alone, up to the full limits.';
    problems.push({ reason: 'redis_unavailable', message });
  }
  return problems;
}

const status = z
  .strictObject({ status: z.literal('ok').meta({ description: 'The process is running' }) })
  .meta({ id: 'Health' });

export function healthRoutes(server: Server, app: App): void {
  server.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'checkHealth',
        summary: 'Check that the process is running',
        description:
          'For a liveness check that restarts hanging processes. It does not use the database, and responds even while the database is unreachable.',
        tags: ['Operations'],
        response: publicResponses({ 200: status }),
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  server.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'checkReadiness',
        summary: 'Check that the server accepts requests',
        description:
          "For load balancers. Returns 503 while the database is unreachable and while the process is stopping. If this machine's clock is off by more than 2 seconds, or Redis does not respond, the response reports it, but requests are still served. With the root key, the response also has the end of each audit chain, which you can store elsewhere and compare later, and the allow list of this process.",
        tags: ['Operations'],
        response: publicResponses({ 200: readiness }),
      },
    },
    async (request) => {
      const is_stopping = server.is_stopping && !server.is_replaced;
      if (is_stopping || !app.isUp()) throw refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
      const isRoot = isRootBearer(app, request);
      const dropped_rows = Object.values(app.batch_writer.dropped()).reduce((sum, count) => sum + count, 0);
      const problems = findProblems(app);
      const status = problems.length === 0 ? ('ok' as const) : ('degraded' as const);
      if (!isRoot) return { status, problems, dropped_rows };
      const egress_allow = app.egress.allowed().map(({ text }) => text);
      return { status, problems, dropped_rows, audit_heads: await listHeads(app), egress_allow };
    },
  );
}
