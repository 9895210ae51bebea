// Why a sign-in at a provider last failed, for whoever set the provider up. Only what the provider itself said to this server is
// recorded: what a browser brings can be made up. Written in batches, at most once a minute for each provider, and no sign-in
// waits for it.

import type { OAuthProviderErrorCode } from '@toolgate/contract/oauth-providers/oauth-provider-error.ts';
import type { App } from '../../../app.ts';
import type { Batch } from '../../../database/batch-writer.ts';
import { codeErrors, ProviderError } from '../../../openid/provider-error.ts';
import type { Provider } from './provider.ts';
import { failureOf } from './provider-failure.ts';
import { type NewLastError, updateLastErrors } from './store.ts';

const INTERVAL_MS = 60_000;

const lastErrors: Batch<NewLastError> = {
  name: 'last errors of OAuth providers',
  write: (pool, rows) => updateLastErrors(pool, rows, INTERVAL_MS),
};

type Recorded = {
  /** The provider's configuration is read. */
  is_discovery?: boolean;
  /** Other failures are not recorded. */
  only?: OAuthProviderErrorCode;
};

/** Runs a part of a sign-in in which this server asks the provider, and records why it failed. */
export async function recordingFailure<T>(
  app: App,
  provider: Provider,
  work: () => Promise<T>,
  { is_discovery = false, only }: Recorded = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError && isOfProvider(error)) {
      const code = failureOf(error, is_discovery);
      if (only === undefined || only === code) recordFailure(app, provider, code, error.message);
    }
    throw error;
  }
}

/** Not of the person who said no, of a code that somebody made up, or of this server. */
const isOfProvider = ({ error_code, was_asked }: ProviderError) =>
  was_asked && error_code !== 'access_denied' && !codeErrors.has(error_code ?? '');

function recordFailure(app: App, provider: Provider, code: OAuthProviderErrorCode, reason: string): void {
  const { project_id, id, updated_at, last_error } = provider;
  const now = app.now();
  if (last_error && now - Date.parse(last_error.created_at) < INTERVAL_MS) return;
  const created_at = new Date(now).toISOString();
  app.batch_writer.add(lastErrors, { project_id, id, updated_at, last_error: { code, reason, created_at } });
}

/** After a success. Writes nothing if there is no error. */
export function clearLastError(app: App, { project_id, id, updated_at, last_error }: Provider): void {
  if (last_error) app.batch_writer.add(lastErrors, { project_id, id, updated_at, last_error: null });
}
