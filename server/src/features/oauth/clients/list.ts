// Lists the clients of a project.

import type { OAuthClient } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { showClient } from './client.ts';
import { pageOfClients } from './store.ts';

export async function listClients(app: App, caller: Caller, query: PageQuery): Promise<Page<OAuthClient>> {
  const page = await pageOfClients(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showClient(row, app.now())),
  );
}
