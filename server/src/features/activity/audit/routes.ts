// Serves /projects/{id}/audit-log and /organization/audit-log.

import { auditRoutes } from '@toolgate/contract/audit/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { listEntries, listOrganizationEntries } from './list.ts';

export function serveAudit(server: Server, app: App): void {
  implement(server, app, auditRoutes, {
    listAuditLog: (app, { caller, query }) => listEntries(app, caller, query),
    listOrganizationAuditLog: (app, { caller, query }) => listOrganizationEntries(app, caller, query),
  });
}
