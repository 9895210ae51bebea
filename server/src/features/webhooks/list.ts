// Lists the webhooks of a project.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { pageOfWebhooks } from './store.ts';
import { showWebhook, type Webhook } from './webhook.ts';

export async function listWebhooks(app: App, caller: Caller, query: PageQuery): Promise<Page<Webhook>> {
  const page = await pageOfWebhooks(app.database, projectOf(caller).id, query);
  return { ...page, data: page.data.map((row) => showWebhook(row, app.now())) };
}
