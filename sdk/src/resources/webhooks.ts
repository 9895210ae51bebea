// /projects/{id}/webhooks and their deliveries.

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type Webhook = Schema<'Webhook'>;
/** With `secret`, which no later answer shows. */
export type NewWebhook = Schema<'NewWebhook'>;
export type Delivery = Schema<'Delivery'>;
export type DeliveryWithAttempts = Schema<'DeliveryWithAttempts'>;

type Types = {
  item: Webhook;
  created: NewWebhook;
  fields: Schema<'WebhookRequest'>;
  change: Schema<'WebhookChange'>;
  filters: Query<'listWebhooks'>;
};

export type Webhooks = Crud<Types> & {
  /** Creates a new secret. The old one signs too for `overlap_seconds`; a day by default. */
  rotateSecret(id: string, rotation?: Schema<'WebhookSecretRotation'>, options?: CallOptions): Promise<NewWebhook>;
  /** Sends an event of the type `ping`. */
  ping(id: string, options?: CallOptions): Promise<Delivery>;
  /** Sends the example of an event type, with the header `x-webhook-test: true`. */
  sendTestEvent(id: string, event: Schema<'WebhookTestEvent'>, options?: CallOptions): Promise<Delivery>;
  /** Sends again what failed since a time. */
  recover(id: string, recovery: Schema<'WebhookRecovery'>, options?: CallOptions): Promise<Schema<'WebhookRecovered'>>;
  deliveries: {
    list(webhookId: string, filters?: Query<'listDeliveries'>, options?: CallOptions): List<Delivery>;
    get(webhookId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryWithAttempts>;
    redeliver(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  };
};

export function webhooks(api: Api): Webhooks {
  const base = () => path`/projects/${api.projectId()}/webhooks`;
  const deliveries = (id: string) => base() + path`/${id}/deliveries`;
  return {
    ...crud<Types>(api, base),
    async rotateSecret(id, body = {}, options) {
      const call = { method: 'POST', path: base() + path`/${id}/rotate-secret`, body } as const;
      return api.send({ ...call, options, hasIdempotencyKey: true });
    },
    async ping(id, options) {
      return api.send({ method: 'POST', path: base() + path`/${id}/ping`, options, hasIdempotencyKey: true });
    },
    async sendTestEvent(id, body, options) {
      const call = { method: 'POST', path: base() + path`/${id}/test-event`, body } as const;
      return api.send({ ...call, options, hasIdempotencyKey: true });
    },
    async recover(id, body, options) {
      return api.send({ method: 'POST', path: base() + path`/${id}/recover`, body, options, repetition: 'once' });
    },
    deliveries: {
      list: (id, filters, options) => list(api, { path: () => deliveries(id), query: filters, options }),
      async get(id, deliveryId, options) {
        return api.send({ method: 'GET', path: deliveries(id) + path`/${deliveryId}`, options });
      },
      async redeliver(id, deliveryId, options) {
        const call = { method: 'POST', path: deliveries(id) + path`/${deliveryId}/redeliver` } as const;
        return api.send({ ...call, options, repetition: 'once' });
      },
    },
  };
}
