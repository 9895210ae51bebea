// Writes down that approvals have ended: expired ones with an event. They have ended without this, too; it frees their places, tells
// others, and keeps them ended when what they depend on is set back to what it was.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { recordChanges, summarizeApproval } from './approval.ts';
import { type Ended, hasOpenApprovals, settleEnded } from './ended-store.ts';

const BATCH_SIZE = 200;

/** Returns true if there may be more. */
export async function settleApprovals(
  app: App,
  of: { project_id?: string; subject_id?: string } = {},
): Promise<boolean> {
  return transact(app, async (app) => {
    const ended = await settleEnded(app.database, of, { now: app.now(), limit: BATCH_SIZE });
    const expired = ended.filter(({ status }) => status === 'expired');
    for (const rows of Map.groupBy(expired, ({ project_id }) => project_id).values()) await recordExpired(app, rows);
    return ended.length === BATCH_SIZE;
  });
}

/**
 * After every change of a project, before the response to who made it: a key was revoked, a session has ended, the URL of an MCP server
 * is another. In a transaction of its own, which holds nothing that a decision could wait for while it waits for the decision. The
 * change is committed, so a failure here must not look like one of the change: what is left is written down by the job.
 */
export async function settleAfterChange(app: App, project_id: string): Promise<void> {
  try {
    // Most projects have none, and PostgreSQL plans the statement that settles them for 7 ms.
    if (!(await hasOpenApprovals(app.database, project_id))) return;
    while (await settleApprovals(app, { project_id }));
  } catch (error) {
    app.log.warn({ err: error, project_id }, 'expired approvals could not be settled; a job does it later');
  }
}

async function recordExpired(app: App, rows: Ended[]): Promise<void> {
  const [{ project_id, organization_id }] = rows as [Ended];
  const changes = rows.map(({ organization_id: _, approval_url, ...row }) => {
    const data = summarizeApproval(app, { approval_url }, row);
    return { type: 'approval.expired' as const, target_id: row.id, data };
  });
  await recordChanges(app, 'system', changes, { id: project_id, organization_id });
  app.metrics.policies.countDecided({ decision: 'expired', via: 'system' }, rows.length);
}
