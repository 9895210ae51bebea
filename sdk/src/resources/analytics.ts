// /projects/{id}/analytics, and the trace of one request.

import type { Api, CallOptions } from '../api.ts';
import { path } from '../path.ts';
import type { Query, Schema } from './schema.ts';

export type AnalyticsReport = Schema<'Analytics'>;
export type RequestTrace = Schema<'RequestTrace'>;

export type Analytics = {
  /** Numbers of calls, errors and durations; of the last 24 hours by hour by default. */
  get(filters?: Query<'getAnalytics'>, options?: CallOptions): Promise<AnalyticsReport>;
};

export type Requests = {
  /** How far a request came and what to do about its refusal. `requestId` is in every error. Kept for 24 hours. */
  get(requestId: string, options?: CallOptions): Promise<RequestTrace>;
};

export function analytics(api: Api): Analytics {
  return {
    async get(filters, options) {
      return api.send({ method: 'GET', path: path`/projects/${api.projectId()}/analytics`, query: filters, options });
    },
  };
}

export function requests(api: Api): Requests {
  return {
    async get(id, options) {
      return api.send({ method: 'GET', path: path`/projects/${api.projectId()}/requests/${id}`, options });
    },
  };
}
