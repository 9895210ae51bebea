// Where a webhook's sealed secrets are kept: moved anywhere else they cannot be opened.

import type { Place } from '../../secrets/envelope.ts';

export function secretPlace(webhook_id: string, column: 'secret' | 'previous_secret'): Place {
  return { table: 'webhooks', column, row_id: webhook_id };
}
