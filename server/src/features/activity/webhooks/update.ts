// Changes a webhook, or switches it off or on.

import type { Webhook, WebhookChange } from '@toolgate/contract/webhooks/webhook.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { checkCertificateUse } from '../certificates/check-use.ts';
import { refuseUnreadableEvents } from './event-filters.ts';
import { withLockedWebhook } from './find.ts';
import { updateWebhookRow } from './store.ts';
import { areSameHeaders, refuseHeaders, refuseToMoveHeaders, sealHeaders } from './stored-headers.ts';
import { refuseUrl } from './url.ts';
import { certificateUser, recordChange, showWebhook } from './webhook.ts';

export async function updateWebhook(app: App, caller: Caller, id: string, change: WebhookChange): Promise<Webhook> {
  if (change.events !== undefined) refuseUnreadableEvents(caller, change.events);
  if (change.url !== undefined) refuseUrl(change.url, app.egress.allowed());
  if (change.headers !== undefined) refuseHeaders(change.headers);
  return withLockedWebhook(app, caller, id, async (app, row, sealed) => {
    const before = showWebhook(row, app.now());
    const { headers, ...fields } = change;
    const old = { ...row, headers: sealed.headers };
    const { url = row.url, certificate_id = row.certificate_id } = change;
    await checkCertificateUse(app, caller, certificateUser(row), certificateUser({ url, certificate_id }));
    if (headers === undefined) refuseToMoveHeaders(old, url);
    // A client that sends the headers it has given changes nothing.
    const hasHeaders = headers === undefined || (await areSameHeaders(app, old, headers));
    if (hasHeaders && Object.values(fields).every((value) => value === undefined)) return before;
    const stored = headers === undefined ? {} : await sealHeaders(app, { ...row, url }, headers);
    // A webhook that is switched on again starts from zero: its earlier days of failure do not count.
    const reset = change.is_enabled ? { disabled_reason: null, failing_since: null, last_failed_at: null } : {};
    const changed = await updateWebhookRow(app.database, row.project_id, id, { ...fields, ...stored, ...reset });
    const after = showWebhook(changed, app.now());
    await recordChange(app, caller, { type: 'webhook.updated', target_id: id, data: after, before });
    return after;
  });
}
