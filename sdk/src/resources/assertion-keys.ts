// /assertion-keys: the public keys that verify member assertions.

import type { Api, CallOptions } from '../api.ts';
import { path } from '../path.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type AssertionKey = Schema<'AssertionKey'>;
export type AssertionReport = Schema<'AssertionReport'>;

type Types = {
  item: AssertionKey;
  created: AssertionKey;
  fields: Schema<'NewAssertionKey'>;
  change: never;
  filters: Query<'listAssertionKeys'>;
};

/** A registered key is not changed: deactivate it and register another. */
export type AssertionKeys = Omit<Crud<Types>, 'update'> & {
  /** Ends the sessions that were created with the key, and frees its `kid`. */
  deactivate(id: string, options?: CallOptions): Promise<AssertionKey>;
  /** Says for every rule whether an assertion passes. Creates no session. */
  debug(assertion: Schema<'AssertionToDebug'>, options?: CallOptions): Promise<AssertionReport>;
};

export function assertionKeys(api: Api): AssertionKeys {
  const { update: _, ...methods } = crud<Types>(api, () => '/assertion-keys');
  return {
    ...methods,
    async deactivate(id, options) {
      return api.send({ method: 'POST', path: path`/assertion-keys/${id}/deactivate`, options });
    },
    async debug(body, options) {
      return api.send({ method: 'POST', path: '/assertion-keys/debug', body, options });
    },
  };
}
