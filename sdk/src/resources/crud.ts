// The five methods that most resources have.

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';

/** Types of a resource: as it is read, as it is created, changed and filtered, and as creating it answers. */
export type CrudTypes = { item: unknown; created: unknown; fields: object; change: object; filters: object };

export type Crud<T extends CrudTypes> = {
  /** Creates one. Secrets that it has are shown in this answer only. */
  create(fields: T['fields'], options?: CallOptions): Promise<T['created']>;
  /** One page, newest first, or an iterator over all pages. */
  list(filters?: T['filters'], options?: CallOptions): List<T['item']>;
  get(id: string, options?: CallOptions): Promise<T['item']>;
  /** Changes the given fields only. */
  update(id: string, change: T['change'], options?: CallOptions): Promise<T['item']>;
  delete(id: string, options?: CallOptions): Promise<void>;
};

/** `base` is a function, because the project may be missing: that rejects the call, not the client. */
export function crud<T extends CrudTypes>(api: Api, base: () => string): Crud<T> {
  return {
    async create(body, options) {
      return api.send({ method: 'POST', path: base(), body, options, hasIdempotencyKey: true });
    },
    list: (filters, options) => list(api, { path: base, query: { ...filters }, options }),
    async get(id, options) {
      return api.send({ method: 'GET', path: base() + path`/${id}`, options });
    },
    async update(id, body, options) {
      return api.send({ method: 'PATCH', path: base() + path`/${id}`, body, options });
    },
    async delete(id, options) {
      return api.send({ method: 'DELETE', path: base() + path`/${id}`, options });
    },
  };
}
