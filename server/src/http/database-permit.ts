// Around each route's handler: a permit to use database connections, of the caller's quota group (database/permits.ts).

import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';

/** For all routes but public ones and those that say `database_permit: false`. The operator's requests need no permit. */
export function requireDatabasePermits(server: Server, app: App): void {
  server.addHook('onRoute', (route) => {
    const { access, database_permit = true } = route.config ?? {};
    if (access === 'public' || !database_permit) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      const { caller } = request;
      const handle = async () => handler.call(this, request, reply);
      return caller.kind === 'root' ? handle() : app.permits.run(caller.project.quota_group_id, handle);
    };
  });
}
