// Serves /projects/{id}/limits.

import { limitRoutes } from '@toolgate/contract/limits/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { createLimit } from './create.ts';
import { deleteLimit } from './delete.ts';
import { showLimit } from './limit.ts';
import { listLimits } from './list.ts';
import { selectLimit } from './store.ts';
import { updateLimit } from './update.ts';
import { readLimitUsage } from './usage.ts';

export function serveLimits(server: Server, app: App): void {
  implement(server, app, limitRoutes, {
    createLimit: (app, { caller, body }) => createLimit(app, caller, body),
    listLimits: (app, { caller, query }) => listLimits(app, caller, query),
    getLimit: async (app, { caller, params }) => showLimit(await getRow(app, caller, params.limit_id, selectLimit)),
    updateLimit: (app, { caller, params, body }) => updateLimit(app, caller, params.limit_id, body),
    deleteLimit: (app, { caller, params }) => deleteLimit(app, caller, params.limit_id),
    readLimitUsage: (app, { caller, params }) => readLimitUsage(app, caller, params.limit_id),
  });
}
