// POST /custom-tools/bulk: many tools in one request.

import { create, idempotencyHeaders } from '../../api/create.ts';
import { responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { bulkAction, bulkResult, changeTools } from './bulk.ts';

export function bulkRoutes(server: Server, app: App): void {
  server.post(
    '/api/v1/custom-tools/bulk',
    {
      config: { access: 'write' },
      schema: {
        operationId: 'changeCustomTools',
        summary: 'Enable, disable or delete many tools',
        description:
          'One request and one transaction. Ids that are unknown are reported, and fail no other. `delete` needs the permission `admin`.',
        tags: ['Custom tools'],
        headers: idempotencyHeaders,
        body: bulkAction,
        response: responsesToCreate({ 200: bulkResult }),
      },
    },
    (request, reply) =>
      create(app, request, reply, (app) => changeTools(app, request.caller, request.body), { status: 200 }),
  );
}
