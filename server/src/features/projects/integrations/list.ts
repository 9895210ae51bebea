// Lists the integrations of a project, or the keys of one.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import type { Integration } from '@toolgate/contract/integrations/integration.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { listKeys } from '../api-keys/list.ts';
import { showIntegration } from './integration.ts';
import { pageOfIntegrations, selectIntegration } from './store.ts';

export async function listIntegrations(app: App, caller: Caller, query: PageQuery): Promise<Page<Integration>> {
  const page = await pageOfIntegrations(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showIntegration));
}

export async function listIntegrationKeys(
  app: App,
  caller: Caller,
  id: string,
  query: PageQuery,
): Promise<Page<ApiKey>> {
  const { id: integration_id } = await getRow(app, caller, id, selectIntegration);
  return listKeys(app, caller, { integration_id }, query);
}
