// Which callers may read which events. Each event kind declares the permission that it needs.

import { type Caller, hasPermission } from '../../access/caller.ts';
import type { App } from '../../app.ts';

/** Whether only an administrator may read events of this type. A type that is no longer declared counts as one. */
export function isAdminOnly({ event_catalogue }: App, type: string): boolean {
  return event_catalogue[type]?.readable_with !== 'read';
}

export function mayRead(app: App, caller: Caller, type: string): boolean {
  return isAdmin(caller) || !isAdminOnly(app, type);
}

/** The types that this caller may read; null: all. */
export function readableTypes(app: App, caller: Caller): string[] | null {
  if (isAdmin(caller)) return null;
  return Object.keys(app.event_catalogue).filter((type) => !isAdminOnly(app, type));
}

const isAdmin = (caller: Caller) => hasPermission(caller, 'admin');
