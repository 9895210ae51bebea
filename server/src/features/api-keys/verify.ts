// API key → Caller. One query loads the key with its project, so no later step loads the project again. The cache entry is
// found by the key itself, not its hash: hashing on every request would cost more than the rest of the check.

import type { ApiKeyCaller, RefusedCaller } from '../../access/caller.ts';
import { toProject } from '../../access/project.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { selectKeyByHash } from './find-by-hash.ts';

/** last_used_at is written at most this often for each key. */
const LAST_USED_INTERVAL_MS = 60_000;

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
    const row = await selectKeyByHash(app.database, hashToken(token));
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
          expires_at: key.expires_at,
          reauthenticate: () => reauthenticate(app, token),
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
  const caller = cachedKeyCaller(app, token) ?? (await loadKeyCaller(app, token));
  if (!caller) throw refuse.invalidApiKey();
  if (caller.kind === 'refused') throw refuse.invalidApiKey({ hidden_reason: caller.reason });
  return caller;
}

function useKey(app: App, cached: CachedKey, now: number): ApiKeyCaller {
  if (now - cached.last_used_at_ms > LAST_USED_INTERVAL_MS) {
    cached.last_used_at_ms = now;
    writeLastUsed(app, cached.caller, now);
  }
  return cached.caller;
}

/** Not awaited: no request waits for this write. If it fails, a later request writes it. */
function writeLastUsed(app: App, { api_key_id, project }: ApiKeyCaller, now: number): void {
  const last_used_at = new Date(now).toISOString();
  const due = new Date(now - LAST_USED_INTERVAL_MS).toISOString();
  app.database
    .updateTable('api_keys')
    .set({ last_used_at })
    .where('project_id', '=', project.id)
    .where('id', '=', api_key_id)
    // Another replica may have written it already.
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', due)]))
    .execute()
    .catch((error: unknown) => app.log.warn({ err: error }, 'last_used_at was not written'));
}
