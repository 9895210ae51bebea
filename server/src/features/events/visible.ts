// Who may see what happened: what only an administrator may list, only an administrator is told of.

import type { Caller } from '../../access/caller.ts';
import { allows } from '../../access/permissions.ts';

const administrative = ['api_key.', 'member_session.'];

/** Beginnings of the kinds that are not there for this caller. */
export function hiddenFrom(caller: Caller): string[] {
  const isAdmin = caller.kind === 'root' || (caller.kind === 'api_key' && allows(caller.permissions, 'admin'));
  return isAdmin ? [] : administrative;
}

export const isHidden = (caller: Caller, type: string) => hiddenFrom(caller).some((prefix) => type.startsWith(prefix));

/** Only an administrator may read an event of this kind. */
export const isAdministrative = (type: string) => administrative.some((prefix) => type.startsWith(prefix));
