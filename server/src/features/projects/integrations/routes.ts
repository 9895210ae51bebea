// Serves /projects/{id}/integrations.

import { integrationRoutes } from '@toolgate/contract/integrations/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { createIntegration } from './create.ts';
import { createIntegrationKey } from './create-key.ts';
import { deleteIntegration } from './delete.ts';
import { showIntegration } from './integration.ts';
import { listIntegrationKeys, listIntegrations } from './list.ts';
import { selectIntegration } from './store.ts';
import { updateIntegration } from './update.ts';

export function serveIntegrations(server: Server, app: App): void {
  implement(server, app, integrationRoutes, {
    createIntegration: (app, { caller, body }) => createIntegration(app, caller, body),
    listIntegrations: (app, { caller, query }) => listIntegrations(app, caller, query),
    getIntegration: async (app, { caller, params }) =>
      showIntegration(await getRow(app, caller, params.integration_id, selectIntegration)),
    updateIntegration: (app, { caller, params, body }) => updateIntegration(app, caller, params.integration_id, body),
    deleteIntegration: (app, { caller, params }) => deleteIntegration(app, caller, params.integration_id),
    createIntegrationApiKey: (app, { caller, params, body }) =>
      createIntegrationKey(app, caller, params.integration_id, body),
    listIntegrationApiKeys: (app, { caller, params, query }) =>
      listIntegrationKeys(app, caller, params.integration_id, query),
  });
}
