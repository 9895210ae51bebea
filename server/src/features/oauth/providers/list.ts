// Lists the providers of a project.

import type { OAuthProvider } from '@toolgate/contract/oauth-providers/oauth-provider.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showProvider } from './provider.ts';
import { pageOfProviders } from './store.ts';

export async function listProviders(app: App, caller: Caller, query: PageQuery): Promise<Page<OAuthProvider>> {
  const page = await pageOfProviders(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showProvider(row, app.config.public_url)),
  );
}
