// When the tokens of a connection are refreshed: before the access token expires, by a job.

import type { App } from '../../../app.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import type { ConnectionRow } from './connection.ts';

/** The kind of the jobs that refresh a connection. */
export const REFRESH = 'oauth_refresh';

const MAX_MARGIN_MS = 10 * 60_000;

type Refreshable = Pick<ConnectionRow, 'id' | 'provider_id' | 'refresh_token' | 'expires_at' | 'updated_at'>;

/** Null: the access token does not expire, or cannot be refreshed. */
export function refreshAt({ refresh_token, expires_at, updated_at }: Omit<Refreshable, 'id' | 'provider_id'>) {
  if (refresh_token === null || expires_at === null) return null;
  const ends_at = Date.parse(expires_at);
  const lifetime_ms = Math.max(0, ends_at - Date.parse(updated_at));
  // For a short-lived token a part of its lifetime, so that it is used at all before it is refreshed.
  return ends_at - Math.min(MAX_MARGIN_MS, lifetime_ms / 4);
}

/** Call it before the row is written: jobs are locked before the rows they are about. */
export async function scheduleRefresh(app: App, fairness_key: string, tokens: Refreshable): Promise<void> {
  const run_at = refreshAt(tokens);
  if (run_at === null) return;
  await enqueue(app, [
    {
      kind: REFRESH,
      subject: tokens.id,
      fairness_key: fairness_key,
      concurrency_key: tokens.provider_id,
      run_at: new Date(run_at).toISOString(),
    },
  ]);
}
