// Serves /projects/{id}/approvals, and gives /metrics how many are pending.

import { approvalRoutes } from '@toolgate/contract/approvals/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { decide } from './decide.ts';
import { listApprovals, readApproval } from './list.ts';
import { countAllPending } from './store.ts';

export function serveApprovals(server: Server, app: App): void {
  app.metrics.policies.setPendingReader(() => countAllPending(app.background.database, app.now()));
  implement(server, app, approvalRoutes, {
    listApprovals: (app, { caller, query: { status, tool_id, ...page } }) =>
      listApprovals(app, caller, { status, tool_id }, page),
    getApproval: (app, { caller, params }) => readApproval(app, caller, params.approval_id),
    approveCall: (app, { caller, params, body }) =>
      decide(app, caller, params.approval_id, { outcome: 'approved', ...body }),
    declineCall: (app, { caller, params, body }) =>
      decide(app, caller, params.approval_id, { outcome: 'declined', ...body }),
  });
}
