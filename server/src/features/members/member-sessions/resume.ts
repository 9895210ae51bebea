// Session token → the member it was created for. The query joins everything that the session depends on: its API key, the
// integration of that key, the assertion key and the project; or the grant of OAuth, its client and its provider. So a session
// ends when one of them does.

import { grantedPermissions } from '@toolgate/contract/permissions.ts';
import type { MemberCaller, RefusedCaller } from '../../../access/caller.ts';
import { toProject } from '../../../access/project.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { selectSessionByHash } from './store.ts';

/** So long an expired token is refused as expired. After that its row is gone, and the token is unknown. */
export const EXPIRED_RETENTION_MS = 24 * 3_600_000;

type CachedSession = { caller: MemberCaller; expires_at_ms: number };

/** Returns the member if the session is cached and has not expired. No I/O. */
export function cachedSessionCaller(app: App, token: string): MemberCaller | null {
  const cached = app.cache.get<CachedSession>('member_session', token);
  return cached && app.now() < cached.expires_at_ms ? cached.caller : null;
}

/** Returns null for a session that is unknown or was ended. */
export async function loadSessionCaller(app: App, token: string): Promise<MemberCaller | RefusedCaller | null> {
  const cached = await app.cache.getOrLoad<CachedSession>('member_session', token, async () => {
    const row = await selectSessionByHash(app.database, hashToken(token), new Date(app.now()).toISOString());
    if (!row) return null;
    const { session, project } = row;
    const { id: session_id, api_key_id, integration_id, member_id, external_id, expires_at } = session;
    const { scopes, grantable } = session;
    return {
      project_id: project.id,
      value: {
        caller: {
          kind: 'member',
          project: toProject(project),
          session_id,
          api_key_id,
          integration_id,
          member_id,
          external_id,
          claims: session.claims,
          oauth_client_id: session.oauth_client_id,
          permissions: grantedPermissions(scopes, grantable),
          may_call_tools: scopes.includes('mcp'),
          layers: session.layers,
          grant: session.grant,
          expires_at,
          reauthenticate: () => cachedSessionCaller(app, token) ?? reauthenticate(app, token),
        },
        expires_at_ms: Date.parse(expires_at),
      },
    };
  });
  return cached && useSession(app, cached);
}

async function reauthenticate(app: App, token: string): Promise<MemberCaller> {
  const caller = await loadSessionCaller(app, token);
  if (!caller) throw refuse.invalidApiKey();
  if (caller.kind === 'refused') throw refuse.memberSessionExpired();
  return caller;
}

function useSession(app: App, { caller, expires_at_ms }: CachedSession): MemberCaller | RefusedCaller | null {
  const now = app.now();
  if (now < expires_at_ms) return caller;
  const is_kept = now < expires_at_ms + EXPIRED_RETENTION_MS;
  return is_kept ? { kind: 'refused', caller, reason: 'member_session_expired' } : null;
}
