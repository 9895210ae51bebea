// Creates a webhook. Its secret is only in this response.

import { MAX_WEBHOOKS, type NewWebhook, type WebhookRequest } from '@toolgate/contract/webhooks/webhook.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { checkCertificateUse } from '../certificates/check-use.ts';
import { refuseUnreadableEvents } from './event-filters.ts';
import { secretContext } from './secret-context.ts';
import { makeSecret } from './signature.ts';
import { countWebhooks, insertWebhook, lockForCreation } from './store.ts';
import { refuseHeaders, sealHeaders } from './stored-headers.ts';
import { refuseUrl } from './url.ts';
import { certificateUser, recordChange, showWebhook } from './webhook.ts';

export async function createWebhook(app: App, caller: Caller, input: WebhookRequest): Promise<NewWebhook> {
  refuseUnreadableEvents(caller, input.events);
  refuseUrl(input.url, app.egress.allowed());
  refuseHeaders(input.headers);
  const project = projectOf(caller);
  return transact(app, async (app) => {
    await lockForCreation(app.database, project.id);
    if ((await countWebhooks(app.database, project.id)) >= MAX_WEBHOOKS)
      throw refuse.limitReached({
        details: {
          field: 'url',
          limit: MAX_WEBHOOKS,
          reason: 'too_many_webhooks',
          remedy: `Delete webhooks that you no longer use: a project can have at most ${MAX_WEBHOOKS}.`,
        },
      });
    await checkCertificateUse(app, caller, null, certificateUser(input));
    const id = newId('wh');
    const secret = makeSecret();
    const row = await insertWebhook(app.database, {
      id,
      project_id: project.id,
      ...input,
      ...(await sealHeaders(app, { id, project_id: project.id, url: input.url }, input.headers)),
      secret: await app.secrets.seal(app.database, project.id, secretContext(id, 'secret'), secret),
      created_by: creatorOf(caller),
    });
    app.changes.add(project.id);
    const webhook = showWebhook(row, app.now());
    await recordChange(app, caller, { type: 'webhook.created', target_id: id, data: webhook });
    return { ...webhook, secret };
  });
}
