// The service disables a webhook that failed for too long or responded with 410. Its events stay, and what was not delivered can
// be recovered.

import type { App } from '../../../app.ts';
import { lockWebhook, selectOrganization, updateWebhookRow } from './store.ts';
import { recordChange, showWebhook } from './webhook.ts';

export async function disableWebhook(
  app: App,
  { id, project_id }: { id: string; project_id: string },
  reason: 'gone' | 'failing',
): Promise<void> {
  const locked = await lockWebhook(app.database, project_id, id);
  if (!locked?.is_enabled) return;
  const { secret: _, headers: __, ...row } = locked;
  const changed = await updateWebhookRow(app.database, project_id, id, { is_enabled: false, disabled_reason: reason });
  app.changes.add(project_id);
  const data = showWebhook(changed, app.now());
  await recordChange(
    app,
    'system',
    { type: 'webhook.disabled', target_id: id, data, before: showWebhook(row, app.now()), after: data },
    { id: project_id, organization_id: await selectOrganization(app.database, project_id) },
  );
}
