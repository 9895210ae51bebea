// The access token of a member at a provider, for a call: from the cache, from the database, or refreshed first if it has expired.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { findAnyProvider } from '../providers/find.ts';
import type { ConnectionRow } from './connection.ts';
import { refreshConnection } from './refresh.ts';
import { openToken } from './seal-tokens.ts';
import { selectConnection } from './store.ts';

/** Whose token it is. */
type Member = { project: Project; member_id: string };

export type MemberToken = {
  text: string;
  /** For the connection's tokens. */
  version: number;
  stored_at: number;
  /** Null: not known. */
  ends_at: number | null;
};

/** A token is not sent when it might expire on its way. */
const MARGIN_MS = 5_000;
/** A token that an API refuses is refreshed, but not with every call: the API may refuse for another reason. */
const MIN_AGE_MS = 30_000;
const POLL_MS = 100;
const MAX_WAIT_MS = 30_000;

/** No I/O. */
export function cachedMemberToken(app: App, caller: Member, provider_id: string): MemberToken | undefined {
  const token = app.cache.get<MemberToken>('member_token', cacheId(caller, provider_id));
  return token && isUsable(app, token.ends_at) ? token : undefined;
}

/** Null: the member must sign in. Rejects with a ProviderError if the provider cannot refresh it now. Do not hold a permit. */
export async function loadMemberToken(
  app: App,
  caller: Member,
  provider_id: string,
  refused?: MemberToken,
): Promise<MemberToken | null> {
  const id = cacheId(caller, provider_id);
  const cached = app.cache.get<MemberToken>('member_token', id);
  // One that has expired or was refused.
  if (cached && (!isUsable(app, cached.ends_at) || cached.version === refused?.version))
    app.cache.delete('member_token', id);
  // Concurrent calls share one load.
  return app.cache.getOrLoad<MemberToken>('member_token', id, async () => {
    const value = await findUsable(app, caller, provider_id, refused);
    return value && { project_id: caller.project.id, value };
  });
}

/**
 * After an API refused the token with 401: another token, null if the member must sign in, or `same` if the token is so new
 * that the reason must be another.
 */
export async function replaceRefusedToken(
  app: App,
  caller: Member,
  provider_id: string,
  refused: MemberToken,
): Promise<MemberToken | 'same' | null> {
  if (app.now() - refused.stored_at < MIN_AGE_MS) return 'same';
  return loadMemberToken(app, caller, provider_id, refused);
}

async function findUsable(
  app: App,
  { project, member_id }: Member,
  provider_id: string,
  refused: MemberToken | undefined,
): Promise<MemberToken | null> {
  const withPermit = <T>(work: () => Promise<T>) => app.permits.run(project, work);
  const key = { project_id: project.id, provider_id, member_id };
  const open = (row: ConnectionRow) => withPermit(() => openMemberToken(app, row));
  const began = performance.now();
  for (;;) {
    const row = await withPermit(() => selectConnection(app.database, key));
    if (!row) return null;
    if (row.version !== refused?.version && isUsable(app, endOf(row))) return open(row);
    const provider = await withPermit(() => findAnyProvider(app, project.id, provider_id));
    const refreshed = provider ? await refreshConnection(app, provider, row) : 'ended';
    if (refreshed === 'ended') return null;
    if (refreshed !== 'busy') return open(refreshed.row);
    if (performance.now() - began > MAX_WAIT_MS) throw new ProviderError('unreachable', 'refresh: takes too long');
    await sleep(POLL_MS);
  }
}

async function openMemberToken(app: App, row: ConnectionRow): Promise<MemberToken> {
  const text = (await openToken(app, row, 'access_token')) as string;
  return { text, version: row.version, stored_at: Date.parse(row.updated_at), ends_at: endOf(row) };
}

const endOf = ({ expires_at }: ConnectionRow) => (expires_at === null ? null : Date.parse(expires_at));

const isUsable = (app: App, ends_at: number | null) => ends_at === null || ends_at - MARGIN_MS > app.now();

const cacheId = ({ member_id }: Member, provider_id: string) => `${provider_id} ${member_id}`;
