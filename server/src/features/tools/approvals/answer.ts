// What a person answered to the question of a client, recorded like any other decision, without a question before it (contract 17).

import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { type ApprovalRow, decisionTypes, recordChange, summarizeApproval } from './approval.ts';
import { newApproval, type Question, refuseDeletedMember, subjectOf } from './request.ts';
import { insertApproval, lockApproval, updateApproval } from './store.ts';

type Decision = 'approved' | 'declined' | 'cancelled';

/** Null: this question was answered before. */
export async function recordResponse(
  app: App,
  caller: ToolCaller,
  question: Question,
  { id, response, asked_at }: { id: string; response: Decision; asked_at: number },
): Promise<ApprovalRow | null> {
  const { project } = caller;
  return app.permits.run(project, () =>
    transact(app, async (app) => {
      await refuseDeletedMember(app, caller);
      const decided_at = new Date(app.now()).toISOString();
      const created_at = new Date(asked_at).toISOString();
      const decided = {
        created_at,
        decided_at,
        decided_by: subjectOf(caller),
        decided_via: 'form' as const,
        is_told: true,
      };
      const row = await insertApproval(
        app.database,
        await newApproval(app, caller, question, { id, status: response, ...decided }),
      );
      if (!row || response === 'cancelled') return row;
      const data = summarizeApproval(app, project.settings, row);
      const change = { type: decisionTypes[response], target_id: id, data };
      await recordChange(app, actorOf(caller), change, project);
      app.metrics.policies.countDecided({ decision: response, via: 'form' });
      return row;
    }),
  );
}

/** Who asked takes the question back: the user declined to open the page, or dismissed it. An approval that was given meanwhile is withdrawn too. */
export async function withdraw(app: App, { project }: ToolCaller, id: string): Promise<void> {
  await app.permits.run(project, () =>
    transact(app, async (app) => {
      const row = await lockApproval(app.database, project.id, id, app.now());
      if (row?.status === 'pending' || row?.status === 'approved')
        await updateApproval(app.database, project.id, id, { status: 'cancelled' });
    }),
  );
}

function actorOf(caller: ToolCaller): Actor {
  return caller.kind === 'test' ? { kind: 'account', account_id: caller.account_id } : caller;
}
