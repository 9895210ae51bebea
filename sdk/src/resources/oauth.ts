// /projects/{id}/oauth-providers and /projects/{id}/oauth-clients: where members sign in, and the apps that send them.

import type { Api, CallOptions } from '../api.ts';
import { path } from '../path.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type OAuthProvider = Schema<'OAuthProvider'>;
export type OAuthProviderReport = Schema<'OAuthProviderReport'>;
export type OAuthClient = Schema<'OAuthClient'>;
/** With `client_secret`, unless it is a public client. No later answer shows it. */
export type NewOAuthClient = Schema<'NewOAuthClient'>;

type ProviderTypes = {
  item: OAuthProvider;
  created: OAuthProvider;
  fields: Schema<'OAuthProviderRequest'>;
  change: Schema<'OAuthProviderChange'>;
  filters: Query<'listOAuthProviders'>;
};

type ClientTypes = {
  item: OAuthClient;
  created: NewOAuthClient;
  fields: Schema<'OAuthClientRequest'>;
  change: Schema<'OAuthClientChange'>;
  filters: Query<'listOAuthClients'>;
};

export type OAuthProviders = Crud<ProviderTypes> & {
  /** Checks that the provider can be reached and knows the client. */
  test(id: string, options?: CallOptions): Promise<OAuthProviderReport>;
};

export type OAuthClients = Crud<ClientTypes> & {
  /** Creates a new secret; `overlap_seconds` says how long the old one goes on working. */
  rotateSecret(
    id: string,
    rotation?: Schema<'OAuthClientSecretRotation'>,
    options?: CallOptions,
  ): Promise<NewOAuthClient>;
};

export function oauthProviders(api: Api): OAuthProviders {
  const base = () => path`/projects/${api.projectId()}/oauth-providers`;
  return {
    ...crud<ProviderTypes>(api, base),
    async test(id, options) {
      return api.send({ method: 'POST', path: base() + path`/${id}/test`, options });
    },
  };
}

export function oauthClients(api: Api): OAuthClients {
  const base = () => path`/projects/${api.projectId()}/oauth-clients`;
  return {
    ...crud<ClientTypes>(api, base),
    async rotateSecret(id, body = {}, options) {
      const call = { method: 'POST', path: base() + path`/${id}/rotate-secret`, body } as const;
      return api.send({ ...call, options, hasIdempotencyKey: true });
    },
  };
}
