// A delivery as the API shows it: one event for one webhook, with its attempts.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import type { Row } from '../../../database/tables.ts';

export const deliveryColumns = [
  'id',
  'project_id',
  'webhook_id',
  'event_id',
  'event_type',
  'status',
  'attempt_count',
  'next_attempt_at',
  'created_at',
  'finished_at',
] as const;

export type DeliveryRow = Pick<Row<'deliveries'>, (typeof deliveryColumns)[number]> & {
  last_attempt: Delivery['last_attempt'];
  is_test: Delivery['is_test'];
};

export const showDelivery = (row: DeliveryRow): Delivery => ({ object: 'delivery', ...row });
