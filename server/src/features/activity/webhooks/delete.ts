// Deletes a webhook, its delivery log and its queued deliveries.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { deleteReadyJobs } from '../../../queue/jobs.ts';
import { DELIVERY } from '../events/record.ts';
import { withLockedWebhook } from './find.ts';
import { deleteWebhookRow } from './store.ts';
import { recordChange, showWebhook } from './webhook.ts';

export async function deleteWebhook(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedWebhook(app, caller, id, async (app, row) => {
    await deleteWebhookRow(app.database, row.project_id, id);
    await deleteReadyJobs(app.database, {
      kind: DELIVERY,
      fairness_key: projectOf(caller).fairness_key,
      concurrency_key: id,
    });
    await recordChange(app, caller, { type: 'webhook.deleted', target_id: id, data: showWebhook(row, app.now()) });
  });
}
