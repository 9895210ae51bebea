// Serves /projects/{id}/toolsets.

import { toolsetRoutes } from '@toolgate/contract/toolsets/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { createToolset } from './create.ts';
import { deleteToolset } from './delete.ts';
import { listToolsets } from './list.ts';
import { selectToolset } from './store.ts';
import { showToolset } from './toolset.ts';
import { updateToolset } from './update.ts';

export function serveToolsets(server: Server, app: App): void {
  implement(server, app, toolsetRoutes, {
    createToolset: (app, { caller, body }) => createToolset(app, caller, body),
    listToolsets: (app, { caller, query }) => listToolsets(app, caller, query),
    getToolset: async (app, { caller, params }) =>
      showToolset(await getRow(app, caller, params.toolset_id, selectToolset)),
    updateToolset: (app, { caller, params, body }) => updateToolset(app, caller, params.toolset_id, body),
    deleteToolset: (app, { caller, params, query }) => deleteToolset(app, caller, params.toolset_id, query.detach),
  });
}
