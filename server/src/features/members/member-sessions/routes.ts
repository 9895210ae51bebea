// Serves /mcp/session-token.

import { memberSessionRoutes } from '@toolgate/contract/member-sessions/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { exchange } from './exchange.ts';

export function serveMemberSessions(server: Server, app: App): void {
  implement(
    server,
    app,
    memberSessionRoutes,
    { createSessionToken: (app, { caller, body }) => exchange(app, caller, body ?? {}) },
    { createSessionToken: { database_permit: false } },
  );
}
