// Lists the deliveries of a webhook.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type Delivery, showDelivery } from './delivery.ts';
import { type DeliveryFilter, pageOfDeliveries } from './delivery-store.ts';
import { findWebhook } from './find.ts';

export async function listDeliveries(
  app: App,
  caller: Caller,
  webhook_id: string,
  { limit, cursor, ...filter }: DeliveryFilter & PageQuery,
): Promise<Page<Delivery>> {
  const { project_id } = await findWebhook(app, caller, webhook_id);
  const found = await pageOfDeliveries(app.database, project_id, webhook_id, filter, { limit, cursor });
  return { ...found, data: found.data.map(showDelivery) };
}
