// Finds the providers of a project for a sign-in.

import type { App } from '../../../app.ts';
import type { Provider } from './provider.ts';
import { selectEnabledProviders, selectProviderIssuers, selectProviderOfProject } from './store.ts';

/** Oldest first, so that a chooser keeps its order. */
export function findEnabledProviders(app: App, project_id: string): Promise<Provider[]> {
  return selectEnabledProviders(app.database, project_id);
}

/** It may be disabled. */
export async function findProvider(app: App, project_id: string, provider_id: string): Promise<Provider | null> {
  const provider = await findAnyProvider(app, project_id, provider_id);
  return provider?.mcp_server_id === null ? provider : null;
}

/** Also one of an MCP server: members connect accounts at it, but nobody signs in here with it. */
export async function findAnyProvider(app: App, project_id: string, provider_id: string): Promise<Provider | null> {
  return (await selectProviderOfProject(app.database, project_id, provider_id)) ?? null;
}

/** For all its providers, also for those that are disabled. */
export function findIssuers(app: App, project_id: string): Promise<string[]> {
  return selectProviderIssuers(app.database, project_id);
}
