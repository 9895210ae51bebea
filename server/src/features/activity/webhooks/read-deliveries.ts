// Reads the deliveries of a webhook: a page of them, and one with its attempts.

import type { Delivery, DeliveryWithAttempts } from '@toolgate/contract/webhooks/delivery.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { refuse } from '../../../errors/errors.ts';
import { mayRead } from '../events/readable.ts';
import { showDelivery } from './delivery.ts';
import { type DeliveryFilter, pageOfDeliveries, selectAttempts, selectDelivery } from './delivery-store.ts';
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

export async function readDelivery(
  app: App,
  caller: Caller,
  webhook_id: string,
  id: string,
): Promise<DeliveryWithAttempts> {
  const project = projectOf(caller);
  const row = await selectDelivery(app.database, project.id, webhook_id, id);
  if (!row) throw refuse.notFound();
  const { request_body, ...delivery } = row;
  const attempts = await selectAttempts(app.database, project.id, id);
  const shown = { ...showDelivery(delivery), request_body, attempts } as DeliveryWithAttempts;
  if (mayRead(caller, delivery.event_type)) return shown;
  // A receiver may repeat the request in its response.
  const hidden = { response_headers: null, response_body: null };
  return { ...shown, request_body: null, attempts: shown.attempts.map((each) => ({ ...each, ...hidden })) };
}
