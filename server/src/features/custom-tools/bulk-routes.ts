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
          'Changes the tools that `ids` or `filter` select, in one transaction: all of them or none. It counts as one request. Unknown ids are reported as `not_found` and do not fail the others. `delete` cannot be undone and needs the permission `admin`.',
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
