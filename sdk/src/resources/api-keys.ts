// /projects/{id}/api-keys

import type { Api, CallOptions } from '../api.ts';
import { path } from '../path.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type ApiKey = Schema<'ApiKey'>;
/** With `key`, which no later answer shows. */
export type NewApiKey = Schema<'NewApiKey'>;

type Types = {
  item: ApiKey;
  created: NewApiKey;
  fields: Schema<'ApiKeyRequest'>;
  change: Schema<'ApiKeyChange'>;
  filters: Query<'listApiKeys'>;
};

export type ApiKeys = Crud<Types> & {
  /** Creates the successor of a key. The old key goes on working for `overlap_seconds`; 0 by default. */
  rotate(id: string, rotation?: Schema<'ApiKeyRotation'>, options?: CallOptions): Promise<NewApiKey>;
  /** Ends a key for good. */
  revoke(id: string, options?: CallOptions): Promise<ApiKey>;
};

export function apiKeys(api: Api): ApiKeys {
  const base = () => path`/projects/${api.projectId()}/api-keys`;
  return {
    ...crud<Types>(api, base),
    async rotate(id, body = {}, options) {
      return api.send({ method: 'POST', path: base() + path`/${id}/rotate`, body, options, hasIdempotencyKey: true });
    },
    async revoke(id, options) {
      return api.send({ method: 'POST', path: base() + path`/${id}/revoke`, options });
    },
  };
}
