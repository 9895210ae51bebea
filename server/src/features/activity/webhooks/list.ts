// Lists the webhooks of a project.

import type { Webhook } from '@toolgate/contract/webhooks/webhook.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { pageOfWebhooks } from './store.ts';
import { showWebhook } from './webhook.ts';

export async function listWebhooks(app: App, caller: Caller, query: PageQuery): Promise<Page<Webhook>> {
  const page = await pageOfWebhooks(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showWebhook(row, app.now())),
  );
}
