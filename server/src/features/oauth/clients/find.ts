// Finds a client by its client_id, and verifies its secret.

import { isId } from '@toolgate/contract/ids.ts';
import type { App } from '../../../app.ts';
import { hashToken, sameBytes } from '../../../secrets/tokens.ts';
import { type Client, hasKeys } from './client.ts';
import { existsRedirect, selectClientById } from './store.ts';

/** Cached until its project changes. A text that cannot be a client_id needs no lookup. */
export async function findClient(app: App, client_id: string): Promise<Client | null> {
  if (!isId('oac', client_id)) return null;
  return app.cache.getOrLoad<Client>('oauth_client', client_id, async () => {
    const value = await selectClientById(app.database, client_id);
    return value ? { project_id: value.project_id, value } : null;
  });
}

/** Whether a client of the project may redirect to one of the URLs, or to one that begins like these. */
export function allowsRedirect(
  app: App,
  project_id: string,
  to: { exact: readonly string[]; prefixes: readonly string[] },
): Promise<boolean> {
  return existsRedirect(app.database, project_id, to);
}

/** Constant time. During a rotation the previous secret is valid too. Always false for a public client, and for one with keys. */
export function isClientSecret(app: App, client: Client, given: string): boolean {
  if (hasKeys(client)) return false;
  const { secret_hash, previous_secret_hash, previous_secret_ends_at } = client;
  const hash = hashToken(given);
  const isCurrent = secret_hash !== null && sameBytes(hash, secret_hash);
  const isPrevious = previous_secret_hash !== null && sameBytes(hash, previous_secret_hash);
  const overlaps = previous_secret_ends_at !== null && Date.parse(previous_secret_ends_at) > app.now();
  return isCurrent || (isPrevious && overlaps);
}
