// /projects/{id}/events and /projects/{id}/audit-log: what changed, and who did it.

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import type { Query, Schema } from './schema.ts';

export type Event = Schema<'Event'>;
export type EventType = Schema<'EventType'>;
export type AuditEntry = Schema<'AuditEntry'>;

export type Events = {
  list(filters?: Query<'listEvents'>, options?: CallOptions): List<Event>;
  get(id: string, options?: CallOptions): Promise<Event>;
  types: {
    /** What a webhook can subscribe to, with an example of each. */
    list(options?: CallOptions): List<EventType>;
  };
};

export type AuditLog = {
  list(filters?: Query<'listAuditLog'>, options?: CallOptions): List<AuditEntry>;
};

export function events(api: Api): Events {
  const base = () => path`/projects/${api.projectId()}/events`;
  return {
    list: (filters, options) => list(api, { path: base, query: filters, options }),
    async get(id, options) {
      return api.send({ method: 'GET', path: base() + path`/${id}`, options });
    },
    types: {
      list: (options) => list(api, { path: () => path`/projects/${api.projectId()}/event-types`, options }),
    },
  };
}

export function auditLog(api: Api): AuditLog {
  return {
    list: (filters, options) =>
      list(api, { path: () => path`/projects/${api.projectId()}/audit-log`, query: filters, options }),
  };
}
