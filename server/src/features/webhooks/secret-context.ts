// The column and row that a sealed secret of a webhook is bound to: in another place it cannot be opened.

import type { SealContext } from '../../secrets/envelope.ts';

export function secretContext(webhook_id: string, column: 'secret' | 'previous_secret'): SealContext {
  return { table: 'webhooks', column, row_id: webhook_id };
}
