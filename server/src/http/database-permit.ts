// Runs each route's handler until the deadline of its request (database/deadline.ts), and with a database permit of the caller's
// fairness key (database/permits.ts).

import { permitUser } from '../access/caller.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';
import { runWithDeadline } from '../database/deadline.ts';

/** A permit is for all routes except public ones and those with `database_permit: false`. The operator's requests need none. */
export function requireDatabasePermits(server: Server, app: App): void {
  server.addHook('onRoute', (route) => {
    const { access, database_permit = true } = route.config ?? {};
    const needs_permit = access !== 'public' && database_permit;
    const { handler } = route;
    route.handler = function (request, reply) {
      const { caller, arrived_at } = request;
      return runWithDeadline(arrived_at, () =>
        needs_permit && caller.kind !== 'root'
          ? app.permits.run(permitUser(caller), async () => handler.call(this, request, reply))
          : handler.call(this, request, reply),
      );
    };
  });
}
