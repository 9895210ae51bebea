// Serves /projects/{id}/integrations and the API keys of an integration.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import type { Integration } from '@toolgate/contract/integrations/integration.ts';
import { integrationRoutes } from '@toolgate/contract/integrations/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { listKeys } from '../api-keys/list.ts';
import { createIntegration } from './create.ts';
import { createIntegrationKey } from './create-key.ts';
import { deleteIntegration } from './delete.ts';
import { showIntegration } from './integration.ts';
import { pageOfIntegrations, selectIntegration } from './store.ts';
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

async function listIntegrations(app: App, caller: Caller, query: PageQuery): Promise<Page<Integration>> {
  const page = await pageOfIntegrations(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showIntegration));
}

async function listIntegrationKeys(app: App, caller: Caller, id: string, query: PageQuery): Promise<Page<ApiKey>> {
  const { id: integration_id } = await getRow(app, caller, id, selectIntegration);
  return listKeys(app, caller, { integration_id }, query);
}
