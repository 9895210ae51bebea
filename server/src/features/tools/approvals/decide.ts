// A person's decision about a call, or that of the customer's backend. The first one counts.

import type { Approval, Decision } from '@toolgate/contract/approvals/approval.ts';
import type { DecisionPlace } from '@toolgate/contract/approvals/rules.ts';
import { type Caller, creatorOf, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { type ApprovalRow, decisionTypes, recordChange, showApproval, summarizeApproval } from './approval.ts';
import { lockApproval, updateApproval } from './store.ts';
import { argumentsFor, refusalToDecide } from './who-decides.ts';

type Outcome = 'approved' | 'declined';

export async function decide(
  app: App,
  caller: Caller,
  id: string,
  given: { outcome: Outcome } & Partial<Decision>,
): Promise<Approval> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockApproval(app.database, project.id, id, app.now());
    if (!row) throw refuse.notFound();
    const reason = refusalToDecide(caller, row);
    if (reason) throw refuse.insufficientPermissions({ details: { reason } });
    const via = caller.kind === 'account' ? 'dashboard' : 'api';
    const decided = await saveDecision(app, caller, project, row, { ...given, via, decided_by: creatorOf(caller) });
    return showApproval(app, project.settings, decided, await argumentsFor(app, caller, decided));
  });
}

type DecisionMade = { outcome: Outcome; reason?: string | null; via: DecisionPlace; decided_by: string };

/** The row must be locked. The same decision again changes nothing; another one is refused. */
export async function saveDecision(
  app: App,
  actor: Actor,
  project: Pick<Project, 'id' | 'organization_id' | 'settings'>,
  row: ApprovalRow,
  { outcome, reason = null, via, decided_by }: DecisionMade,
): Promise<ApprovalRow> {
  const { status } = row;
  if (status !== 'pending') {
    const isSame = status === outcome || (status === 'used' && outcome === 'approved');
    if (isSame) return row;
    throw refuse.approvalNotPending({ details: { field: 'status', value: status, status } });
  }
  const decided_at = new Date(app.now()).toISOString();
  const change = { status: outcome, decided_at, decided_by, decided_via: via, reason };
  const decided = await updateApproval(app.database, project.id, row.id, change);
  const data = summarizeApproval(app, project.settings, decided);
  const before = summarizeApproval(app, project.settings, row);
  const change_of = { type: decisionTypes[outcome], target_id: row.id, data, before, after: data };
  await recordChange(app, actor, change_of, project);
  app.metrics.policies.countDecided({ decision: outcome, via });
  return decided;
}
