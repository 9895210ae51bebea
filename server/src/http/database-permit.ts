// Runs each route's handler with a database permit of the caller's quota group (database/permits.ts).

import { permitGroup } from '../access/caller.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';

/** For all routes except public ones and those with `database_permit: false`. The operator's requests need no permit. */
export function requireDatabasePermits(server: Server, app: App): void {
  server.addHook('onRoute', (route) => {
    const { access, database_permit = true } = route.config ?? {};
    if (access === 'public' || !database_permit) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      const { caller } = request;
      const handle = async () => handler.call(this, request, reply);
      return caller.kind === 'root' ? handle() : app.permits.run(permitGroup(caller), handle);
    };
  });
}
