// Serves /projects/{id}/approvals, and gives /metrics how many are pending.

import type { Approval } from '@toolgate/contract/approvals/approval.ts';
import { approvalRoutes } from '@toolgate/contract/approvals/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { showApproval } from './approval.ts';
import { decide } from './decide.ts';
import { type ApprovalFilter, countAllPending, pageOfApprovals, selectApproval } from './store.ts';
import { argumentsFor } from './who-decides.ts';

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

async function listApprovals(
  app: App,
  caller: Caller,
  filter: ApprovalFilter,
  query: PageQuery,
): Promise<Page<Approval>> {
  const { id, settings } = projectOf(caller);
  const page = await pageOfApprovals(app.database, id, filter, { ...query, now: app.now() });
  const shown: Approval[] = [];
  for (const row of page.rows) shown.push(showApproval(app, settings, row, await argumentsFor(app, caller, row)));
  return makePage(page, shown);
}

async function readApproval(app: App, caller: Caller, id: string): Promise<Approval> {
  const { id: project_id, settings } = projectOf(caller);
  const row = await selectApproval(app.database, project_id, id, app.now());
  if (!row) throw refuse.notFound();
  return showApproval(app, settings, row, await argumentsFor(app, caller, row));
}
