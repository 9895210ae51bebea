// The column and row that a sealed secret of a webhook is bound to: in another place it cannot be opened. Headers are bound to the
// origin of the URL too, because they are sent: after a change of it in the database they cannot be opened.

import type { SealContext } from '../../../secrets/envelope.ts';
import { targetOf } from './url.ts';

export function secretContext(webhook_id: string, column: 'secret' | 'previous_secret'): SealContext {
  return { table: 'webhooks', column, row_id: webhook_id };
}

export function headersContext(webhook_id: string, url: string): SealContext {
  return { table: 'webhooks', column: 'headers', row_id: webhook_id, destination: targetOf(url).origin };
}
