// Which callers may read which events. Each event kind declares the permission that it needs.

import type { EventKinds } from '@toolgate/contract/events/event-kind.ts';
import { eventTypes } from '@toolgate/contract/events/rules.ts';
import { eventKinds } from '@toolgate/contract/resources.ts';
import { type Caller, hasPermission } from '../../../access/caller.ts';

/** Whether only an administrator may read events of this type. A type that is no longer declared counts as one. */
export function isAdminOnly(type: string): boolean {
  const kinds: EventKinds = eventKinds;
  return kinds[type]?.readable_with !== 'read';
}

export function mayRead(caller: Caller, type: string): boolean {
  return isAdmin(caller) || !isAdminOnly(type);
}

/** The types that this caller may read; null: all. */
export function readableTypes(caller: Caller): string[] | null {
  if (isAdmin(caller)) return null;
  return eventTypes.filter((type) => !isAdminOnly(type));
}

const isAdmin = (caller: Caller) => hasPermission(caller, 'admin');
