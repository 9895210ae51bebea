// Which kinds of callers a route admits. A route that declares no access stops the server from starting.

import { refuseUnlessAdminInProduction } from '../access/admin-in-production.ts';
import { type Caller, hasPermission } from '../access/caller.ts';
import { lacksPermission } from '../access/lacks-permission.ts';
import type { CallerAccess, Server } from '../api/route.ts';
import { refuse } from '../errors/errors.ts';

export function requireDeclaredAccess(server: Server): void {
  server.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not declare who may call it: config: { access: … }`);
  });
}

type Rule = { access: CallerAccess; admin_in_production?: boolean | undefined };

export function authorize(caller: Caller, { access, admin_in_production }: Rule): void {
  refuseUnlessAllowed(caller, access);
  if (admin_in_production) refuseUnlessAdminInProduction(caller);
}

function refuseUnlessAllowed(caller: Caller, access: CallerAccess): void {
  // A route for API keys does not accept a session.
  if ((caller.kind === 'member' || caller.kind === 'oauth_client') && access === 'api_key')
    throw refuse.invalidApiKey();
  const isCall = access === 'caller' || access === 'tool';
  if (caller.kind === 'member' && isCall && !caller.may_call_tools) throw refuse.insufficientScope();
  if (isAllowed(caller, access)) return;
  switch (access) {
    case 'tool':
      if (caller.kind === 'account') throw lacksPermission(caller, 'write');
      throw refuseToolCall(caller);
    case 'caller':
    case 'api_key':
    case 'public':
      throw refuseToolCall(caller);
    case 'decide':
      throw refuse.insufficientPermissions({ details: { reason: 'may_not_decide' } });
    case 'account':
      throw refuse.insufficientPermissions({ details: { reason: 'account_only' } });
    case 'manage_keys':
      throw lacksPermission(caller, 'admin');
    case 'account_admin':
      if (caller.kind === 'account') throw lacksPermission(caller, 'admin');
      throw refuse.insufficientPermissions({ details: { reason: 'account_only' } });
    case 'account_owner':
      if (caller.kind === 'account') throw refuse.insufficientPermissions({ details: { reason: 'owner_only' } });
      throw refuse.insufficientPermissions({ details: { reason: 'account_only' } });
    default:
      throw lacksPermission(caller, access);
  }
}

const refuseToolCall = ({ kind }: Caller) =>
  refuse.insufficientPermissions({
    details: { reason: kind === 'account' ? 'account_calls_no_tools' : 'root_key_calls_no_tools' },
  });

function isAllowed(caller: Caller, access: CallerAccess): boolean {
  switch (access) {
    case 'public':
    case 'api_key':
      return true;
    case 'decide':
      return caller.kind !== 'member' && caller.kind !== 'oauth_client';
    case 'caller':
      return caller.kind !== 'root' && caller.kind !== 'account';
    case 'tool':
      return caller.kind !== 'root' && (caller.kind !== 'account' || hasPermission(caller, 'write'));
    case 'manage_keys':
      return hasPermission(caller, 'admin') || isDeveloperInDevelopment(caller);
    case 'account':
      return caller.kind === 'account';
    case 'account_admin':
      return caller.kind === 'account' && hasPermission(caller, 'admin');
    case 'account_owner':
      return caller.kind === 'account' && caller.role === 'owner';
    default:
      return hasPermission(caller, access);
  }
}

/** The operations refuse keys with permissions that the person lacks. */
function isDeveloperInDevelopment(caller: Caller): boolean {
  return caller.kind === 'account' && hasPermission(caller, 'write') && caller.project?.environment === 'development';
}
