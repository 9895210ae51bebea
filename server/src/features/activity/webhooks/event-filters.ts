// Which subscription filters a caller may give to a webhook.

import { subscribedTypes } from '@toolgate/contract/events/subscription-filter.ts';
import type { Caller } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { mayRead } from '../events/readable.ts';

/**
 * A key subscribes only to events that it may read, and changes no webhook that receives others: with a different URL, or
 * by a redelivery, it would read them (contract 8).
 */
export function refuseUnreadableEvents(caller: Caller, filters: readonly string[]): void {
  const refused = filters.find((filter) => subscribedTypes([filter]).some((type) => !mayRead(caller, type)));
  if (refused !== undefined) throw lacksPermission(caller, 'admin', { field: 'events', value: refused });
}
