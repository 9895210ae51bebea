// The provider of an MCP server with `member_oauth`: where its members sign in for it. It belongs to the server, no list shows it, and
// nobody signs in to toolgate with it. Its authorization server is found by RFC 9728 whenever a member connects an account.

import type { AuthorizationServer } from 'oauth4webapi';
import { type Caller, creatorOf, hasPermission } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { findProtectedResource, type ProtectedResource } from '../../../openid/protected-resource.ts';
import { atProvider, ProviderError } from '../../../openid/provider-error.ts';
import { guardedFetch } from '../../../openid/upstream.ts';
import { type Provider, projectOfProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { deleteConnectionsOf, setResource, upsertServerProvider } from './server-provider-store.ts';
import { deleteProviderRow } from './store.ts';

/** One for each server, so that nothing has to be looked up. */
export const serverProviderId = (mcp_server_id: string) => mcp_server_id.replace(/^mcs_/, 'oap_');

export type ServerOfProvider = {
  id: string;
  project_id: string;
  name: string;
  url: string;
  auth_config: { client_id?: string | undefined; scope?: string | undefined };
};

/** In the transaction that saves the server. `secret` undefined: it stays. With `is_other` the connections end: tokens are of what was before. */
export async function saveServerProvider(
  app: App,
  caller: Caller,
  server: ServerOfProvider,
  { secret, is_other }: { secret: string | null | undefined; is_other: boolean },
): Promise<void> {
  const { project_id, auth_config, url, name } = server;
  const id = serverProviderId(server.id);
  const { origin } = new URL(url);
  const context = secretContext({ id, issuer: origin });
  const sealed = secret ? await app.secrets.seal(app.database, project_id, context, secret) : '';
  await upsertServerProvider(app.database, {
    id,
    project_id,
    mcp_server_id: server.id,
    name,
    server_url: url,
    client_id: auth_config.client_id ?? '',
    scopes: auth_config.scope?.split(' ') ?? [],
    allowed_origins: [origin],
    is_approved: hasPermission(caller, 'admin'),
    created_by: creatorOf(caller),
    client_secret: secret === undefined ? undefined : sealed,
    is_other,
  });
  if (is_other) await deleteConnectionsOf(app.database, { project_id, id });
}

/** In the transaction that changes the strategy of the server. */
export const deleteServerProvider = (app: App, { id, project_id }: Pick<ServerOfProvider, 'id' | 'project_id'>) =>
  deleteProviderRow(app.database, project_id, serverProviderId(id));

export const isOfServer = (
  provider: Provider,
): provider is Provider & { mcp_server_id: string; server_url: string; resource: string | null } =>
  provider.mcp_server_id !== null;

/** Finds the authorization server, and stores it. Tokens of another one end: they were not made for this one. */
export async function findResource(app: App, provider: Provider & { server_url: string }): Promise<ProtectedResource> {
  const url = new URL(provider.server_url);
  const isolation = { isolation_key: provider.fairness_key, isolation_part: provider.id };
  const challenge = await atProvider('resource metadata', () => askWithoutToken(app, url, isolation));
  const found = await findProtectedResource(url, challenge, guardedFetch(app.send, isolation), app.egress.allowed());
  if (found.issuer === provider.issuer && found.resource === provider.resource) return found;
  await app.permits.run(projectOfProvider(provider), () =>
    transact(app, async (app) => {
      await setResource(app.database, provider, found);
      if (provider.issuer !== '') await deleteConnectionsOf(app.database, provider);
      app.changes.add(provider.project_id);
    }),
  );
  return found;
}

const PROBE_TIMEOUT_MS = 10_000;
const MAX_PROBE_BYTES = 64 * 1024;

/** The challenge of a server that refuses requests without a token. */
async function askWithoutToken(
  { send }: App,
  { origin, pathname, search }: URL,
  isolation: { isolation_key: string; isolation_part: string },
): Promise<string | undefined> {
  const { status, headers } = await send({
    ...isolation,
    origin,
    method: 'POST',
    path: pathname + search,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    timeout_ms: PROBE_TIMEOUT_MS,
    max_response_bytes: MAX_PROBE_BYTES,
  });
  return status === 401 ? headers['www-authenticate'] : undefined;
}

export const clientMetadataUrl = (public_url: string, provider_id: string) =>
  `${public_url}/api/v1/oauth/client-metadata/${provider_id}`;

/** The client that was registered by hand, else our client metadata document. */
export function clientIdOf({ config }: App, provider: Provider, server: AuthorizationServer): string {
  if (!isOfServer(provider) || provider.client_id !== '') return provider.client_id;
  if (server.client_id_metadata_document_supported !== true)
    throw new ProviderError(
      'invalid',
      'discovery: the authorization server reads no client metadata documents; register a client there and set auth_config.client_id',
    );
  return clientMetadataUrl(config.public_url, provider.id);
}

/** Parameters of requests to the token endpoint (RFC 8707). */
export const resourceOf = ({ resource }: Pick<Provider, 'resource'>): Record<string, string> =>
  resource === null ? {} : { resource };
