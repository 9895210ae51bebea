// Creates a session of an OAuth client for itself (client_credentials). It has no member and no permissions.

import { SESSION_LIFETIME_SECONDS } from '@toolgate/contract/member-sessions/member-session.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { hashToken, makeToken } from '../../../secrets/tokens.ts';
import type { Client } from '../clients/client.ts';
import { insertClientSession } from './store.ts';

export type IssuedSession = { access_token: string; expires_in: number };

/** `toolset_id`: of the address that it is for. Null if the client was deleted, or may not do this any more. */
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
