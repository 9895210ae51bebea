// API key → Caller. One query loads the key with its project, so no later step loads the project again. The cache entry is
// found by the key itself, not its hash: hashing on every request would cost more than the rest of the check.

import type { ApiKeyCaller, RefusedCaller } from '../../../access/caller.ts';
import { toProject } from '../../../access/project.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { selectKeyByHash } from './find-by-hash.ts';
import { isUseDue, recordUse } from './record-use.ts';

/** A refused key is cached too: activating it changes its project, which invalidates the entry. */
type CachedKey = {
  caller: ApiKeyCaller;
  refused: RefusedCaller['reason'] | null;
  expires_at_ms: number;
  last_used_at_ms: number;
};

/** Returns the caller if the key is cached and valid. No I/O. */
export function cachedKeyCaller(app: App, token: string): ApiKeyCaller | null {
  const cached = app.cache.get<CachedKey>('api_key', token);
  if (!cached) return null;
  const now = app.now();
  return refusalOf(cached, now) === null ? useKey(app, cached, now) : null;
}

/** Returns null for an unknown key. */
export async function loadKeyCaller(app: App, token: string): Promise<ApiKeyCaller | RefusedCaller | null> {
  const cached = await app.cache.getOrLoad<CachedKey>('api_key', token, async () => {
    const row = await selectKeyByHash(app.pool, hashToken(token));
    if (!row) return null;
    const { key, project } = row;
    return {
      project_id: project.id,
      value: {
        caller: {
          kind: 'api_key',
          project: toProject(project),
          api_key_id: key.id,
          integration_id: key.integration_id,
          permissions: key.permissions,
          can_approve: key.can_approve,
          layers: key.layers,
          expires_at: key.expires_at,
          reauthenticate: () => cachedKeyCaller(app, token) ?? reauthenticate(app, token),
        },
        refused: key.revoked_at !== null ? 'api_key_revoked' : key.is_active ? null : 'api_key_inactive',
        expires_at_ms: key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
        last_used_at_ms: key.last_used_at === null ? 0 : Date.parse(key.last_used_at),
      },
    };
  });
  if (!cached) return null;
  const now = app.now();
  const reason = refusalOf(cached, now);
  return reason === null ? useKey(app, cached, now) : { kind: 'refused', caller: cached.caller, reason };
}

function refusalOf({ refused, expires_at_ms }: CachedKey, now: number): RefusedCaller['reason'] | null {
  return refused ?? (expires_at_ms <= now ? 'api_key_expired' : null);
}

async function reauthenticate(app: App, token: string): Promise<ApiKeyCaller> {
  const caller = await loadKeyCaller(app, token);
  if (!caller) throw refuse.invalidApiKey();
  if (caller.kind === 'refused') throw refuse.invalidApiKey({ hidden_reason: caller.reason });
  return caller;
}

function useKey(app: App, cached: CachedKey, now: number): ApiKeyCaller {
  if (isUseDue(cached.last_used_at_ms, now)) {
    cached.last_used_at_ms = now;
    recordUse(app, cached.caller, now);
  }
  return cached.caller;
}
