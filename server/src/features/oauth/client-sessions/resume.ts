// Session token → the OAuth client that got it for itself.

import type { ClientCaller, RefusedCaller } from '../../../access/caller.ts';
import { toProject } from '../../../access/project.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { EXPIRED_RETENTION_MS } from '../../members/member-sessions/resume.ts';
import { selectClientSessionByHash } from './store.ts';

type CachedSession = { caller: ClientCaller; expires_at_ms: number };

/** Returns the client if the session is cached and has not expired. No I/O. */
export function cachedClientCaller(app: App, token: string): ClientCaller | null {
  const cached = app.cache.get<CachedSession>('client_session', token);
  return cached && app.now() < cached.expires_at_ms ? cached.caller : null;
}

/** Returns null for a session that is unknown or was ended. */
export async function loadClientCaller(app: App, token: string): Promise<ClientCaller | RefusedCaller | null> {
  const cached = await app.cache.getOrLoad<CachedSession>('client_session', token, async () => {
    const row = await selectClientSessionByHash(app.database, hashToken(token));
    if (!row) return null;
    const { session, project } = row;
    const { id: session_id, client_id: oauth_client_id, integration_id, layers, expires_at } = session;
    const caller: ClientCaller = {
      kind: 'oauth_client',
      project: toProject(project),
      session_id,
      api_key_id: null,
      integration_id,
      oauth_client_id,
      permissions: [],
      layers,
      expires_at,
      reauthenticate: () => cachedClientCaller(app, token) ?? reauthenticate(app, token),
    };
    return { project_id: project.id, value: { caller, expires_at_ms: Date.parse(expires_at) } };
  });
  if (!cached) return null;
  const now = app.now();
  if (now < cached.expires_at_ms) return cached.caller;
  const is_kept = now < cached.expires_at_ms + EXPIRED_RETENTION_MS;
  return is_kept ? { kind: 'refused', caller: cached.caller, reason: 'member_session_expired' } : null;
}

async function reauthenticate(app: App, token: string): Promise<ClientCaller> {
  const caller = await loadClientCaller(app, token);
  if (!caller) throw refuse.invalidApiKey();
  if (caller.kind === 'refused') throw refuse.memberSessionExpired();
  return caller;
}
