// Lists the approvals of a project, and reads one.

import type { Approval } from '@toolgate/contract/approvals/approval.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { showApproval } from './approval.ts';
import { type ApprovalFilter, pageOfApprovals, selectApproval } from './store.ts';
import { argumentsFor } from './who-decides.ts';

export async function listApprovals(
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

export async function readApproval(app: App, caller: Caller, id: string): Promise<Approval> {
  const { id: project_id, settings } = projectOf(caller);
  const row = await selectApproval(app.database, project_id, id, app.now());
  if (!row) throw refuse.notFound();
  return showApproval(app, settings, row, await argumentsFor(app, caller, row));
}
