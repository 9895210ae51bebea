// Finds a client by its client_id: one that the project registered, one that registered itself, or one whose client_id is the URL
// of its metadata document.

import { defaultGrantTypes, type OAuthGrantType } from '@toolgate/contract/oauth-clients/rules.ts';
import type { OAuthClientKind } from '@toolgate/contract/oauth-grants/oauth-grant.ts';
import type { App } from '../../../app.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { findClient } from '../clients/find.ts';
import { fetchClientMetadata, isMetadataUrl } from './client-metadata.ts';
import { selectDynamicClient } from './dynamic-client-store.ts';

export type OAuthClient = {
  kind: OAuthClientKind;
  client_id: string;
  name: string;
  redirect_uris: readonly string[];
  is_public: boolean;
  grant_types: readonly OAuthGrantType[];
  /** Null for clients that belong to no project: the resource names it. */
  project_id: string | null;
  integration_id: string | null;
};

/** Do not hold a slot of the lookups. Returns null for an unknown client. Throws a refusal for a metadata document that cannot be used. */
export async function findAnyClient(app: App, client_id: string, ip: string): Promise<OAuthClient | null> {
  if (isMetadataUrl(client_id)) return unregistered('metadata', await fetchClientMetadata(app, client_id, ip));
  return app.lookups.run(clientNetwork(ip), () => findStoredClient(app, client_id));
}

/** Without metadata documents, which only name redirect URIs: a client with one is public. */
export async function findStoredClient(app: App, client_id: string): Promise<OAuthClient | null> {
  const registered = await findClient(app, client_id);
  if (registered) {
    const { name, redirect_uris, is_public, grant_types, project_id, integration_id } = registered;
    return { kind: 'registered', client_id, name, redirect_uris, is_public, grant_types, project_id, integration_id };
  }
  const dynamic = await selectDynamicClient(app.database, client_id, new Date(app.now()).toISOString());
  return dynamic ? unregistered('dynamic', dynamic) : null;
}

function unregistered(
  kind: 'dynamic' | 'metadata',
  { client_id, name, redirect_uris }: Pick<OAuthClient, 'client_id' | 'name' | 'redirect_uris'>,
): OAuthClient {
  const of_no_project = { project_id: null, integration_id: null };
  return { kind, client_id, name, redirect_uris, is_public: true, grant_types: defaultGrantTypes, ...of_no_project };
}
