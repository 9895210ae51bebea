// Creates a webhook. Its secret is only in this answer.

import { z } from 'zod';
import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import type { EventKinds } from '../../api/event-kind.ts';
import { limitedText } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { eventFilters, refuseUnreadableEvents } from './event-filters.ts';
import { recordChange } from './events.ts';
import { headers, refuseHeaders } from './header-rules.ts';
import { secretContext } from './secret-context.ts';
import { makeSecret } from './signature.ts';
import { countWebhooks, insertWebhook, lockForCreation } from './store.ts';
import { sealHeaders } from './stored-headers.ts';
import { MAX_URL, refuseUrl } from './url.ts';
import { description, is_enabled, type NewWebhook, showWebhook } from './webhook.ts';

const MAX_WEBHOOKS = 50;

export const url = limitedText(MAX_URL, `must have at most ${MAX_URL} characters`).meta({
  description: 'HTTPS, outside of private networks; a path and a query are allowed',
  example: 'https://example.com/hooks/toolgate',
});

export const newWebhook = (kinds: EventKinds) =>
  z
    .strictObject({
      url,
      events: eventFilters(kinds),
      headers: headers.default({}),
      description: description.default(null),
      is_enabled: is_enabled.default(true),
    })
    .meta({ id: 'WebhookRequest' });

export async function createWebhook(
  app: App,
  caller: Caller,
  input: z.infer<ReturnType<typeof newWebhook>>,
): Promise<NewWebhook> {
  refuseUnreadableEvents(app, caller, input.events);
  refuseUrl(input.url, app.config.egress_allow);
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
          remedy: `Delete webhooks that are not used: a project has at most ${MAX_WEBHOOKS}.`,
        },
      });
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
