// Finds the authorization server of an MCP server (RFC 9728), pins the first one, and refuses every other one until an admin approves it.

import type { ServerIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { AuthorizationServer } from 'oauth4webapi';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import {
  discoverAuthorizationServer,
  findProtectedResource,
  type ProtectedResource,
} from '../../../openid/protected-resource.ts';
import { atProvider, ProviderError } from '../../../openid/provider-error.ts';
import { certificateFor, fetchFrom, isolationOf } from './fetch-from.ts';
import { findAnyProvider } from './find.ts';
import { recordingFailure } from './last-error.ts';
import { compareWithPin, IssuerNotApproved, issuerOf, pinOf, pinText } from './pinned-issuer.ts';
import { type Provider, projectOfProvider } from './provider.ts';
import { isOfServer, type ServerOfProvider, type ServerProvider, serverProviderId } from './server-provider.ts';
import {
  deleteConnectionsOf,
  lockServerProvider,
  setFoundIssuer,
  setPinnedIssuer,
  takeUnreported,
} from './server-provider-store.ts';

/** `provider`: as it is stored now, with its pin. */
export type FoundServer = { provider: ServerProvider; server: AuthorizationServer; scope: string | null };

/** Asks the MCP server, and the authorization server that it names. Rejects with a ProviderError. Do not hold a database permit. */
export function findIssuer(app: App, provider: ServerProvider): Promise<FoundServer> {
  const find = async () => {
    const named = await findResource(app, provider);
    const server = await discoverAuthorizationServer(named.issuer, fetchFrom(app, provider));
    return { provider: await keepIssuer(app, provider, issuerOf(server), named), server, scope: named.scope };
  };
  return recordingFailure(app, provider, find, { is_discovery: true });
}

/** With each sync, so that an admin sees another authorization server before a member does. Do not hold a database permit. */
export async function lookUpIssuer(app: App, project: Project, mcp_server_id: string): Promise<void> {
  const id = serverProviderId(mcp_server_id);
  const provider = await app.permits.run(project, () => findAnyProvider(app, project.id, id));
  if (!provider || !isOfServer(provider)) return;
  await findIssuer(app, provider).catch((error: unknown) => {
    // It is stored, or the next member who connects an account gets it.
    if (!(error instanceof ProviderError)) throw error;
  });
}

/** Before an authorization server is asked for its metadata. */
export function refuseUnpinned(provider: ServerProvider): void {
  if (pinOf(provider) === null) throw new IssuerNotApproved();
}

/** Before anything is sent to the authorization server: its metadata may have changed. Returns what of it may be used. */
export async function requirePinned(
  app: App,
  provider: ServerProvider,
  server: AuthorizationServer,
): Promise<AuthorizationServer> {
  const found = issuerOf(server);
  await keepIssuer(app, provider, found);
  // Refresh tokens are sent there too.
  const { revocation_endpoint, ...others } = server;
  const isNear = URL.parse(revocation_endpoint ?? '')?.origin === new URL(found.token_endpoint).origin;
  return isNear ? server : others;
}

/** In the transaction of the MCP server. An admin approves it: it is pinned as it is. Tokens of another issuer end. */
export async function pinIssuer(app: App, server: ServerRef, approved: ServerIssuer): Promise<void> {
  const row = await lockServerProvider(app.database, refOf(server));
  if (!row) throw new Error(`the MCP server ${server.id} has no provider`);
  await setPinnedIssuer(app.database, row, approved, row.resource);
  if (pinOf(row)?.issuer !== approved.issuer) await deleteConnectionsOf(app.database, row);
}

/** Whether members still sign in there; it stays so until the transaction ends. */
export async function holdsPin(app: App, provider: Provider, pin: string): Promise<boolean> {
  const row = await lockServerProvider(app.database, provider, 'share');
  return row !== undefined && pinText(row) === pin;
}

/** In the transaction of the event. True once for each authorization server that waits. */
export const takeUnreportedIssuer = (app: App, server: ServerRef) => takeUnreported(app.database, refOf(server));

type ServerRef = Pick<ServerOfProvider, 'id' | 'project_id'>;

const refOf = ({ id, project_id }: ServerRef) => ({ id: serverProviderId(id), project_id });

/** Pins what is found first. What differs from the pin is stored for an admin, and refused. `named`: as the MCP server says now, if it was asked. */
async function keepIssuer(
  app: App,
  provider: ServerProvider,
  found: ServerIssuer,
  named?: Pick<ProtectedResource, 'resource'>,
): Promise<ServerProvider> {
  const { resource } = named ?? provider;
  const isKnown = provider.found_issuer === null && provider.resource === resource;
  if (isKnown && compareWithPin(provider, found) === 'same') return provider;
  const stored = await app.permits.run(projectOfProvider(provider), () =>
    transact(app, async (app) => {
      const row = await lockServerProvider(app.database, provider);
      if (row?.server_url !== provider.server_url || row.client_id !== provider.client_id)
        throw new ProviderError('invalid', 'discovery: the MCP server was changed in the meantime');
      app.changes.add(provider.project_id);
      // Only the MCP server itself can take back what it named.
      if (!named && row.found_issuer !== null) return null;
      if (compareWithPin(row, found) === 'other') {
        await setFoundIssuer(app.database, row, found);
        return null;
      }
      await setPinnedIssuer(app.database, row, found, resource);
      // They were made for another resource.
      if (row.resource !== null && row.resource !== resource) await deleteConnectionsOf(app.database, row);
      return { issuer: found.issuer, pinned_issuer: found, found_issuer: null, resource };
    }),
  );
  if (!stored) throw new IssuerNotApproved();
  return { ...provider, ...stored };
}

async function findResource(app: App, provider: ServerProvider): Promise<ProtectedResource> {
  const url = new URL(provider.server_url);
  return findProtectedResource(url, {
    challenge: await atProvider('resource metadata', () => askWithoutToken(app, url, provider)),
    preferred: pinOf(provider)?.issuer ?? null,
    fetch: fetchFrom(app, provider),
    allow: app.egress.allowed(),
  });
}

const PROBE_TIMEOUT_MS = 10_000;
const MAX_PROBE_BYTES = 64 * 1024;

/** The challenge of a server that refuses requests without a token. */
async function askWithoutToken(
  app: App,
  { origin, pathname, search }: URL,
  provider: ServerProvider,
): Promise<string | undefined> {
  const { status, headers } = await app.send({
    ...isolationOf(provider),
    origin,
    method: 'POST',
    path: pathname + search,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    timeout_ms: PROBE_TIMEOUT_MS,
    max_response_bytes: MAX_PROBE_BYTES,
    certificate: await certificateFor(app, provider, origin),
  });
  return status === 401 ? headers['www-authenticate'] : undefined;
}
