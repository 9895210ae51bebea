// API key → Caller. One query loads the key with its project, so no later step loads the project again. Keys that are looked up at
// the same time share the query. What is cached is found by the hash of the key: it holds no secret, so it is kept until it changes.

import type { ApiKeyCaller, Project, RefusedCaller } from '../../../access/caller.ts';
import { toProject } from '../../../access/project.ts';
import type { App } from '../../../app.ts';
import { estimateSize } from '../../../cache/estimate-size.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashTokenText } from '../../../secrets/tokens.ts';
import { type FoundKey, selectKeysByHash } from './find-by-hash.ts';
import { isUseDue, recordUse } from './record-use.ts';

/** A refused key is cached too: activating it changes its project, which invalidates the entry. */
type CachedKey = {
  caller: ApiKeyCaller;
  refused: RefusedCaller['reason'] | null;
  expires_at_ms: number;
  last_used_at_ms: number;
};

/** Returns the caller if the key is cached and valid. No I/O. */
export const cachedKeyCaller = (app: App, token: string) => cachedByHash(app, hashTokenText(token));

/** Returns null for an unknown key. */
export const loadKeyCaller = (app: App, token: string) => loadByHash(app, hashTokenText(token));

function cachedByHash(app: App, hash: string): ApiKeyCaller | null {
  const cached = app.cache.get<CachedKey>('api_key', hash);
  if (!cached) return null;
  const now = app.now();
  return refusalOf(cached, now) === null ? useKey(app, cached, now) : null;
}

async function loadByHash(app: App, hash: string): Promise<ApiKeyCaller | RefusedCaller | null> {
  const cached = await app.cache.getOrLoad<CachedKey>('api_key', hash, async () => {
    const found = await app.grouped_calls.run('api_keys', '', hash, (hashes) => selectKeysByHash(app.pool, hashes));
    return found && toEntry(app, hash, found);
  });
  if (!cached) return null;
  const now = app.now();
  const reason = refusalOf(cached, now);
  return reason === null ? useKey(app, cached, now) : { kind: 'refused', caller: cached.caller, reason };
}

function toEntry(app: App, hash: string, { key, project: row }: FoundKey) {
  // The keys of a project hold one object, which is an entry of its own.
  const known = app.cache.get<Project>('project', row.id);
  const project = known ?? toProject(row);
  const caller: ApiKeyCaller = {
    kind: 'api_key',
    project,
    api_key_id: key.id,
    integration_id: key.integration_id,
    permissions: key.permissions,
    can_approve: key.can_approve,
    layers: key.layers,
    expires_at: key.expires_at,
    reauthenticate: () => cachedByHash(app, hash) ?? reauthenticate(app, hash),
  };
  const value: CachedKey = {
    caller,
    refused: key.revoked_at !== null ? 'api_key_revoked' : key.is_active ? null : 'api_key_inactive',
    expires_at_ms: key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
    last_used_at_ms: key.last_used_at === null ? 0 : Date.parse(key.last_used_at),
  };
  // The names of their members are the same for all keys, and take no memory for each.
  const { project: _, reauthenticate: __, ...own } = caller;
  const bytes = estimateSize([...Object.values({ ...value, caller: null }), ...Object.values(own)]);
  const other = known ? undefined : { kind: 'project', id: project.id, value: project };
  return { project_id: project.id, value, bytes, has_secret: false, other };
}

function refusalOf({ refused, expires_at_ms }: CachedKey, now: number): RefusedCaller['reason'] | null {
  return refused ?? (expires_at_ms <= now ? 'api_key_expired' : null);
}

async function reauthenticate(app: App, hash: string): Promise<ApiKeyCaller> {
  const caller = await loadByHash(app, hash);
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
