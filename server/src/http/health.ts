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
  reason: z.enum(['clock_offset', 'redis_unavailable']).meta({ description: 'Which problem, for programs' }),
  message: z.string().meta({ description: 'What is wrong and what it means' }),
});

const readiness = z
  .strictObject({
    status: z.enum(['ok', 'degraded']).meta({ description: 'Requests are accepted. `degraded`: there are problems' }),
    problems: z
      .array(problem)
      .meta({ description: 'What the operator should look at. Requests are served all the same' }),
    dropped_rows: z.int().meta({
      description:
        'Rows of the call log and of other tables that were not written since the start, as in `toolgate_dropped_rows_total`',
    }),
    audit_heads: z
      .array(
        z.strictObject({
          organization_id: z.string(),
          seq: z.int().meta({ description: 'Its number in the chain of the organization' }),
          hash: z.string().meta({ description: 'Its hash; an earlier entry cannot change without changing it' }),
        }),
      )
      .optional()
      .meta({ description: 'Only for the root key: the last audit entry of each organization' }),
    egress_allow: z.array(z.string()).optional().meta({
      description:
        'Only for the root key: what tools and webhooks may reach now beside public addresses, as `TOOLGATE_EGRESS_ALLOW` says',
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
    const message = `The clock of this machine is ${seconds} s ${direction} the database's, which is used instead. Log lines have the wrong time.`;
    problems.push({ reason: 'clock_offset', message });
  }
  if (app.isRedisUp?.() === false) {
    const message =
      'Redis does not respond or takes no writes. This process counts requests on its own, up to the full limits.';
    problems.push({ reason: 'redis_unavailable', message });
  }
  return problems;
}

const status = z
  .strictObject({ status: z.literal('ok').meta({ description: 'The process runs' }) })
  .meta({ id: 'Health' });

export function healthRoutes(server: Server, app: App): void {
  server.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'checkHealth',
        summary: 'Check that the process runs',
        description:
          'For the check that restarts a process that hangs. It does not use the database, and answers also while the database is unreachable.',
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
        summary: 'Check that it accepts requests',
        description:
          'For load balancers. 503 while the database is unreachable and while the process is stopping. A clock of this machine that is off by more than 2 seconds, or a Redis that does not respond, is reported, and requests are served. With the root key the answer also has the end of each audit chain, to store elsewhere and compare later, and the allow list that this process uses.',
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
