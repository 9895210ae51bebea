// Finds a session of a client by its token, for the client that asks about it.

import type { App } from '../../../app.ts';
import { hashToken, isWellFormed } from '../../../secrets/tokens.ts';
import { selectClientSessionByHash } from './store.ts';

export type ClientSession = { id: string; client_id: string; project_id: string; expires_at: string };

/** It may be expired. */
export async function findClientSession(app: App, token: string): Promise<ClientSession | null> {
  if (!isWellFormed(token, ['svc_mst_'])) return null;
  const found = await selectClientSessionByHash(app.database, hashToken(token));
  return found && { ...found.session, project_id: found.project.id };
}
