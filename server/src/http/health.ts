// /healthz: the process runs. /readyz: it accepts requests, which needs the database, and is not stopping.

import { z } from 'zod';
import { publicResponses } from '../api/responses.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { listHeads } from '../features/audit/head.ts';
import { isRootBearer } from './authenticate.ts';

const readiness = z
  .strictObject({
    status: z.literal('ok'),
    audit_heads: z
      .array(z.strictObject({ organization_id: z.string(), seq: z.int(), hash: z.string() }))
      .optional()
      .meta({ description: 'Only for the root key: the last audit entry of each organization' }),
  })
  .meta({ id: 'Readiness' });

const status = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

export function healthRoutes(server: Server, app: App): void {
  server.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'checkHealth',
        summary: 'Check that the process runs',
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
        tags: ['Operations'],
        response: publicResponses({ 200: readiness }),
      },
    },
    async (request) => {
      if (server.is_stopping || !app.isUp()) throw refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
      const isRoot = isRootBearer(app, request);
      return { status: 'ok' as const, ...(isRoot ? { audit_heads: await listHeads(app) } : {}) };
    },
  );
}
