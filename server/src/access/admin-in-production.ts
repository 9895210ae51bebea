// In production projects admins alone decide who a member is and where the token of a member goes (contract 3): otherwise whoever
// may add an OAuth provider or change a tool could act as any member.

import type { Details } from '../errors/errors.ts';
import { type Caller, hasPermission } from './caller.ts';
import { lacksPermission } from './lacks-permission.ts';

export function refuseUnlessAdminInProduction(caller: Caller, details: Details = {}): void {
  if (caller.project?.environment !== 'production' || hasPermission(caller, 'admin')) return;
  throw lacksPermission(caller, 'admin', { ...details, reason: 'admin_in_production' });
}
