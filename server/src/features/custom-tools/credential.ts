// How a tool's calls prove who they come from: made ready once for each version, with its secret opened.

import type { App } from '../../app.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { DEFAULT_KEY_HEADER, secretProblem } from './auth-rules.ts';
import type { TokenSource } from './client-credentials.ts';
import { type HmacKey, hmacKey } from './hmac.ts';
import { secretPlace } from './secret-place.ts';
import type { Definition, ToolRow } from './tool.ts';

export type Credential =
  /** The same header on every call, or none. */
  | { kind: 'header'; header: Record<string, string> }
  | { kind: 'signature'; key: HmacKey; previous: HmacKey | null; previous_until: number }
  | { kind: 'token'; source: TokenSource }
  /** Found out when the tool was made ready, told when it is called. */
  | { kind: 'unreadable'; cause: SecretUnreadable };

export async function prepareCredential(app: App, row: ToolRow): Promise<Credential> {
  try {
    return await readCredential(app, row);
  } catch (error) {
    if (error instanceof SecretUnreadable) return { kind: 'unreadable', cause: error };
    throw error;
  }
}

async function readCredential(app: App, row: ToolRow): Promise<Credential> {
  const strategy = row.auth_strategy as Definition['auth_strategy'];
  if (strategy === 'none') return { kind: 'header', header: {} };
  const secret = await openSecret(app, row, 'auth_secret');
  const problem = secretProblem(strategy, secret);
  if (problem !== null) throw new SecretUnreadable(problem);
  switch (strategy) {
    case 'bearer_token':
      return { kind: 'header', header: { authorization: `Bearer ${secret}` } };
    case 'api_key_header':
      return {
        kind: 'header',
        header: { [(row.auth_config.header_name ?? DEFAULT_KEY_HEADER).toLowerCase()]: secret },
      };
    case 'basic':
      return { kind: 'header', header: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` } };
    case 'hmac_signature':
      return { kind: 'signature', key: hmacKey(secret), ...(await readPrevious(app, row)) };
    case 'oauth2_client_credentials':
      return { kind: 'token', source: tokenSource(row, secret) };
    case 'member_oauth':
      throw new Error('member_oauth cannot be saved yet');
  }
}

async function readPrevious(app: App, row: ToolRow): Promise<{ previous: HmacKey | null; previous_until: number }> {
  const { previous_auth_secret, previous_auth_secret_until } = row;
  const previous_until = previous_auth_secret_until === null ? 0 : Date.parse(previous_auth_secret_until);
  if (previous_auth_secret === null || previous_until <= app.now()) return { previous: null, previous_until: 0 };
  try {
    return { previous: hmacKey(await openSecret(app, row, 'previous_auth_secret')), previous_until };
  } catch (error) {
    // The new secret is what counts: a call must not fail for the sake of the old one.
    if (error instanceof SecretUnreadable) return { previous: null, previous_until: 0 };
    throw error;
  }
}

async function openSecret(app: App, row: ToolRow, column: 'auth_secret' | 'previous_auth_secret'): Promise<string> {
  const blob = row[column];
  if (!blob) throw new SecretUnreadable('there is none');
  return app.secrets.openInput(app.database, row.project_id, secretPlace(row, column), blob);
}

function tokenSource({ id, version, auth_config, timeout_ms }: ToolRow, client_secret: string): TokenSource {
  const { origin, pathname, search } = new URL(auth_config.token_url as string);
  return {
    key: `${id} ${version}`,
    origin,
    path: pathname + search,
    client_id: auth_config.client_id as string,
    client_secret,
    scope: auth_config.scope,
    timeout_ms: Math.min(timeout_ms, 10_000),
  };
}
