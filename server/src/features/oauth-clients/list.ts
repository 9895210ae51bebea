// Lists the clients of a project.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type ClientAnswer, showClient } from './client.ts';
import { pageOfClients } from './store.ts';

export async function listClients(app: App, caller: Caller, query: PageQuery): Promise<Page<ClientAnswer>> {
  const page = await pageOfClients(app.database, projectOf(caller).id, query);
  return { ...page, data: page.data.map((row) => showClient(row, app.now())) };
}
