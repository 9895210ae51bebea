// What each kind of caller may do on a route. A route that declares no access stops the server from starting.

import type { Caller } from '../access/caller.ts';
import { allows } from '../access/permissions.ts';
import type { Access, Server } from '../api/route.ts';
import { refuse } from '../errors.ts';

export function requireDeclaredAccess(server: Server): void {
  server.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not declare who may call it: config: { access: … }`);
  });
}

export function authorize(caller: Caller, access: Access): void {
  // What asks for an API key does not take a member session in its place.
  if (caller.kind === 'member' && access === 'api_key') throw refuse.invalidApiKey();
  if (!isAllowed(caller, access)) throw refuse.insufficientPermissions();
}

function isAllowed(caller: Caller, access: Access): boolean {
  switch (access) {
    case 'public':
    case 'api_key':
      return true;
    case 'caller':
      return caller.kind !== 'root'; // the operator runs the service; it is nobody's model
    default:
      return caller.kind === 'root' || (caller.kind === 'api_key' && allows(caller.permissions, access));
  }
}
