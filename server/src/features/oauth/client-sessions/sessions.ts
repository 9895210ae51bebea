// Sessions of an OAuth client for itself (client_credentials), which have no member and no permissions.

import { SESSION_LIFETIME_SECONDS } from '@toolgate/contract/member-sessions/member-session.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { hashToken, isWellFormed, makeToken } from '../../../secrets/tokens.ts';
import type { Client } from '../clients/client.ts';
import { insertClientSession, revokeClientSession, selectClientSessionByHash } from './store.ts';

export type IssuedSession = { access_token: string; expires_in: number };

/** `toolset_id`: of the URL that it is for. Null if the client was deleted, or may not do this any more. */
export async function createClientSession(
  app: App,
  client: Client,
  toolset_id: string | null,
): Promise<IssuedSession | null> {
  const now = app.now();
  const access_token = makeToken('svc_mst_');
  const isMade = await insertClientSession(app.database, {
    id: newId('ses'),
    project_id: client.project_id,
    client_id: client.id,
    toolset_id,
    hash: hashToken(access_token),
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + SESSION_LIFETIME_SECONDS * 1000).toISOString(),
  });
  return isMade ? { access_token, expires_in: SESSION_LIFETIME_SECONDS } : null;
}

export type ClientSession = { id: string; client_id: string; project_id: string; expires_at: string };

/** It may be expired. */
export async function findClientSession(app: App, token: string): Promise<ClientSession | null> {
  if (!isWellFormed(token, ['svc_mst_'])) return null;
  const found = await selectClientSessionByHash(app.database, hashToken(token));
  return found && { ...found.session, project_id: found.project.id };
}

export async function endClientSession(app: App, { id, project_id }: ClientSession): Promise<void> {
  await transact(app, async (app) => {
    await revokeClientSession(app.database, project_id, id, new Date(app.now()).toISOString());
    app.changes.add(project_id);
  });
}
