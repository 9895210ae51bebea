// Lists the integrations of a project, or the keys of one.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import type { ApiKey } from '../api-keys/api-key.ts';
import { listKeys } from '../api-keys/list.ts';
import { getIntegration } from './get.ts';
import { type Integration, showIntegration } from './integration.ts';
import { pageOfIntegrations } from './store.ts';

export async function listIntegrations(app: App, caller: Caller, query: PageQuery): Promise<Page<Integration>> {
  const page = await pageOfIntegrations(app.database, projectOf(caller).id, query);
  return { ...page, data: page.data.map(showIntegration) };
}

export async function listIntegrationKeys(
  app: App,
  caller: Caller,
  id: string,
  query: PageQuery,
): Promise<Page<ApiKey>> {
  const { id: integration_id } = await getIntegration(app, caller, id);
  return listKeys(app, caller, { integration_id }, query);
}
