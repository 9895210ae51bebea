// Lists the providers of a project.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type ProviderAnswer, showProvider } from './provider.ts';
import { pageOfProviders } from './store.ts';

export async function listProviders(app: App, caller: Caller, query: PageQuery): Promise<Page<ProviderAnswer>> {
  const page = await pageOfProviders(app.database, projectOf(caller).id, query);
  return { ...page, data: page.data.map((row) => showProvider(row, app.config.public_url)) };
}
