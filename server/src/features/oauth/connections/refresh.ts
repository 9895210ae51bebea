// Refreshes the tokens of a connection: by a job before they expire, and when a call needs them sooner. One process at a time:
// with a lease on the row, because a refresh token may be valid only once.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { type Provider, projectOfProvider } from '../providers/provider.ts';
import { refreshTokens, type UpstreamTokens } from '../providers/tokens.ts';
import { type ConnectionRow, recordChange, showConnection } from './connection.ts';
import { scheduleRefresh } from './schedule-refresh.ts';
import { openToken, sealTokens } from './seal-tokens.ts';
import { releaseLease, setRefreshFailed, takeLease, updateTokens } from './store.ts';

/** Longer than a refresh can take: discovery and the token request, 10 s each. */
const LEASE_MS = 30_000;

/** `busy`: another process refreshes it, or has just done so. `ended`: the member must sign in again. */
export type Refreshed = { row: ConnectionRow } | 'busy' | 'ended';

/** Rejects with a ProviderError if it may succeed later. Do not hold a database permit. */
export async function refreshConnection(app: App, provider: Provider, row: ConnectionRow): Promise<Refreshed> {
  if (row.refresh_token === null || row.status !== 'active') return 'ended';
  const withPermit = <T>(work: () => Promise<T>) => app.permits.run(projectOfProvider(provider), work);
  const until = new Date(app.now() + LEASE_MS).toISOString();
  const lease = { now: new Date(app.now()).toISOString(), until };
  if (!(await withPermit(() => takeLease(app.database, row, lease)))) return 'busy';
  try {
    const refresh_token = (await withPermit(() => openToken(app, row, 'refresh_token'))) as string;
    const tokens = await refreshTokens(app, provider, refresh_token);
    const saved = await withPermit(() => saveTokens(app, provider, row, tokens));
    return saved ? { row: saved } : 'busy';
  } catch (error) {
    if (isEnded(error)) {
      await withPermit(() => failConnection(app, provider, row));
      return 'ended';
    }
    await withPermit(() => releaseLease(app.database, row, until));
    throw error;
  }
}

async function saveTokens(
  app: App,
  provider: Provider,
  row: ConnectionRow,
  tokens: UpstreamTokens,
): Promise<ConnectionRow | undefined> {
  return transact(app, async (app) => {
    const sealed = await sealTokens(app, row, { ...tokens, scope: tokens.scope ?? row.scope });
    await scheduleRefresh(app, provider.fairness_key, { ...row, ...sealed });
    // No cache is invalidated: the old access token is used until it expires, or until an API refuses it.
    return updateTokens(app.database, row, sealed, row.version);
  });
}

/** The provider will never accept this refresh token again. Everything else, such as a wrong client secret, may be repaired. */
const isEnded = (error: unknown) =>
  error instanceof ProviderError && ['invalid_grant', 'bad_refresh_token'].includes(error.error_code ?? '');

/** Recorded once, and only if no other tokens were stored meanwhile. */
export async function failConnection(app: App, provider: Provider, row: ConnectionRow): Promise<void> {
  await transact(app, async (app) => {
    const failed = await setRefreshFailed(app.database, row);
    if (!failed) return;
    app.changes.add(row.project_id);
    const data = showConnection(failed);
    const project = { id: row.project_id, organization_id: provider.organization_id };
    await recordChange(app, 'system', { type: 'oauth_connection.refresh_failed', target_id: row.id, data }, project);
  });
}
