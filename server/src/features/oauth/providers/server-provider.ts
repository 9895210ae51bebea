// The provider of an MCP server with `member_oauth`: where its members sign in for it. It belongs to the server, no list shows it, and
// nobody signs in to toolgate with it. server-issuer.ts finds and pins its authorization server.

import type { PinnedIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { AuthorizationServer } from 'oauth4webapi';
import { type Caller, creatorOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { normalizeIssuer } from '../../../openid/issuer.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import type { Provider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { deleteConnectionsOf, upsertServerProvider } from './server-provider-store.ts';
import { deleteProviderRow } from './store.ts';

/** One for each server, so that nothing has to be looked up. */
export const serverProviderId = (mcp_server_id: string) => mcp_server_id.replace(/^mcs_/, 'oap_');

export type ServerOfProvider = {
  id: string;
  project_id: string;
  name: string;
  url: string;
  certificate_id: string | null;
  /** By an admin, for production: otherwise nobody connects an account there. */
  is_approved: boolean;
  auth_config: { client_id?: string | undefined; issuer?: string | undefined; scope?: string | undefined };
};

type Save = {
  /** Undefined: it stays. */
  secret: string | null | undefined;
  /** The connections end: tokens are of what was before. */
  is_other: boolean;
  /** Null: the issuer that is found first. Undefined: it stays. */
  pin: PinnedIssuer | null | undefined;
};

/** In the transaction that saves the server. A secret is sealed to the issuer: no other authorization server can get it. */
export async function saveServerProvider(
  app: App,
  caller: Caller,
  server: ServerOfProvider,
  { secret, is_other, pin }: Save,
): Promise<void> {
  const { project_id, auth_config, url, name, certificate_id, is_approved } = server;
  const id = serverProviderId(server.id);
  const context = secretContext({ id, issuer: normalizeIssuer(auth_config.issuer ?? '') });
  const sealed = secret ? await app.secrets.seal(app.database, project_id, context, secret) : '';
  await upsertServerProvider(app.database, {
    id,
    project_id,
    mcp_server_id: server.id,
    name,
    server_url: url,
    certificate_id,
    client_id: auth_config.client_id ?? '',
    scopes: auth_config.scope?.split(' ') ?? [],
    allowed_origins: [new URL(url).origin],
    is_approved,
    created_by: creatorOf(caller),
    client_secret: secret === undefined ? undefined : sealed,
    is_other,
    pin,
  });
  if (is_other) await deleteConnectionsOf(app.database, { project_id, id });
}

/** In the transaction that changes the strategy of the server. */
export const deleteServerProvider = (app: App, { id, project_id }: Pick<ServerOfProvider, 'id' | 'project_id'>) =>
  deleteProviderRow(app.database, project_id, serverProviderId(id));

export type ServerProvider = Provider & { mcp_server_id: string; server_url: string };

export const isOfServer = (provider: Provider): provider is ServerProvider => provider.mcp_server_id !== null;

export const clientMetadataUrl = (public_url: string, provider_id: string) =>
  `${public_url}/api/v1/oauth/client-metadata/${provider_id}`;

/** The client that was registered by hand, else our client metadata document. */
export function clientIdOf({ config }: App, provider: Provider, server: AuthorizationServer): string {
  if (!isOfServer(provider) || provider.client_id !== '') return provider.client_id;
  if (server.client_id_metadata_document_supported !== true)
    throw new ProviderError(
      'invalid',
      'discovery: the authorization server does not support client metadata documents; register a client there and set auth_config.client_id',
    );
  return clientMetadataUrl(config.public_url, provider.id);
}

/** Parameters of requests to the token endpoint (RFC 8707). */
export const resourceOf = ({ resource }: Pick<Provider, 'resource'>): Record<string, string> =>
  resource === null ? {} : { resource };
