// Serves /projects/{id}/toolsets.

import { toolsetRoutes } from '@toolgate/contract/toolsets/routes.ts';
import type { Toolset } from '@toolgate/contract/toolsets/toolset.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { createToolset } from './create.ts';
import { deleteToolset } from './delete.ts';
import { pageOfToolsets, selectToolset } from './store.ts';
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

async function listToolsets(app: App, caller: Caller, query: PageQuery): Promise<Page<Toolset>> {
  const page = await pageOfToolsets(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showToolset));
}
