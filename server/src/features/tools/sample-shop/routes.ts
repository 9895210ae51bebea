// POST /projects/{id}/sample-tools.

import { projectParams } from '@toolgate/contract/fields.ts';
import { create, idempotencyHeaders } from '../../../api/create.ts';
import { responsesToCreate } from '../../../api/responses.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { checkSampleTools, loadedTools, loadSampleTools } from './load.ts';

export function sampleShopRoutes(server: Server, app: App): void {
  server.post(
    '/api/v1/projects/:project_id/sample-tools',
    {
      config: { access: 'write' },
      schema: {
        operationId: 'loadSampleTools',
        summary: 'Load the sample shop: tools to try before you connect your own API',
        description:
          'Creates the tools `find_products`, `place_order` and `my_orders`, all of them or none. A small shop inside the server responds to their calls: it verifies signatures as your API would, is not reachable over the network, and loses its orders at a restart. Only projects in `development` can load and call them. If one of the names is already in use, nothing is created. Delete them like other tools.',
        tags: ['Custom tools'],
        params: projectParams,
        headers: idempotencyHeaders,
        response: responsesToCreate({ 201: loadedTools }, 'sampleToolsNotAllowed', 'nameTaken', 'limitReached'),
      },
    },
    async (request, reply) => {
      const checked = await checkSampleTools(app, request.caller);
      return create(app, request, reply, (app) => loadSampleTools(app, request.caller, checked));
    },
  );
}
