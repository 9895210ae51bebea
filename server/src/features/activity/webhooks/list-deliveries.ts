// Lists the deliveries of a webhook.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { showDelivery } from './delivery.ts';
import { type DeliveryFilter, pageOfDeliveries } from './delivery-store.ts';
import { findWebhook } from './find.ts';

export async function listDeliveries(
  app: App,
  caller: Caller,
  webhook_id: string,
  { limit, cursor, ...filter }: DeliveryFilter & PageQuery,
): Promise<Page<Delivery>> {
  const { project_id } = await findWebhook(app, caller, webhook_id);
  const found = await readInTime(app, ({ database }) =>
    pageOfDeliveries(database, project_id, webhook_id, filter, { limit, cursor }),
  );
  return makePage(found, found.rows.map(showDelivery));
}
