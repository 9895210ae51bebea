// /projects/{id}/integrations, and the keys created from one.

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import type { ApiKey, NewApiKey } from './api-keys.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type Integration = Schema<'Integration'>;

type Types = {
  item: Integration;
  created: Integration;
  fields: Schema<'NewIntegration'>;
  change: Schema<'IntegrationChange'>;
  filters: Query<'listIntegrations'>;
};

export type Integrations = Crud<Types> & {
  /** Keys created from the integration: they may exchange member assertions. */
  apiKeys: {
    create(integrationId: string, fields: Schema<'ApiKeyRequest'>, options?: CallOptions): Promise<NewApiKey>;
    list(integrationId: string, filters?: Query<'listIntegrationApiKeys'>, options?: CallOptions): List<ApiKey>;
  };
};

export function integrations(api: Api): Integrations {
  const base = () => path`/projects/${api.projectId()}/integrations`;
  const keys = (id: string) => base() + path`/${id}/api-keys`;
  return {
    ...crud<Types>(api, base),
    apiKeys: {
      async create(id, body, options) {
        return api.send({ method: 'POST', path: keys(id), body, options, hasIdempotencyKey: true });
      },
      list: (id, filters, options) => list(api, { path: () => keys(id), query: filters, options }),
    },
  };
}
