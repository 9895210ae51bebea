// Serves /projects/{id}/webhooks, and their deliveries.

import { webhookRoutes } from '@toolgate/contract/webhooks/routes.ts';
import { type Webhook, webhookSecretRotation } from '@toolgate/contract/webhooks/webhook.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { findWebhook } from './find.ts';
import { listDeliveries, readDelivery } from './read-deliveries.ts';
import { recoverDeliveries } from './recover.ts';
import { redeliver } from './redeliver.ts';
import { rotateSecret } from './rotate-secret.ts';
import { pingWebhook, sendTestEvent } from './send-test-event.ts';
import { pageOfWebhooks } from './store.ts';
import { updateWebhook } from './update.ts';
import { showWebhook } from './webhook.ts';

export function serveWebhooks(server: Server, app: App): void {
  implement(server, app, webhookRoutes, {
    createWebhook: (app, { caller, body }) => createWebhook(app, caller, body),
    listWebhooks: (app, { caller, query }) => listWebhooks(app, caller, query),
    getWebhook: async (app, { caller, params }) =>
      showWebhook(await findWebhook(app, caller, params.webhook_id), app.now()),
    updateWebhook: (app, { caller, params, body }) => updateWebhook(app, caller, params.webhook_id, body),
    deleteWebhook: (app, { caller, params }) => deleteWebhook(app, caller, params.webhook_id),
    rotateWebhookSecret: (app, { caller, params, body = webhookSecretRotation.parse({}) }) =>
      rotateSecret(app, caller, params.webhook_id, body),
    pingWebhook: (app, { caller, params }) => pingWebhook(app, caller, params.webhook_id),
    sendTestEvent: (app, { caller, params, body }) => sendTestEvent(app, caller, params.webhook_id, body),
    listDeliveries: (app, { caller, params, query }) => listDeliveries(app, caller, params.webhook_id, query),
    getDelivery: (app, { caller, params }) => readDelivery(app, caller, params.webhook_id, params.delivery_id),
    redeliver: (app, { caller, params }) => redeliver(app, caller, params.webhook_id, params.delivery_id),
    recoverDeliveries: (app, { caller, params, body }) => recoverDeliveries(app, caller, params.webhook_id, body),
  });
}

async function listWebhooks(app: App, caller: Caller, query: PageQuery): Promise<Page<Webhook>> {
  const page = await pageOfWebhooks(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showWebhook(row, app.now())),
  );
}
