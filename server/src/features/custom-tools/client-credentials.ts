// oauth2_client_credentials (RFC 6749 §4.4): a token for each version of a tool, fetched when first needed, kept until shortly
// before it ends. Callers at the same time share one fetch.

import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import type { Message } from '../../outbound/messages.ts';
import { parseAnswer } from './answer-text.ts';

export type TokenSource = {
  /** The tool and its version: a new secret is a new version. */
  key: string;
  origin: string;
  /** With the query, if there is one. */
  path: string;
  client_id: string;
  client_secret: string;
  scope: string | undefined;
  timeout_ms: number;
};

export type AccessToken = { text: string; fetched_at: number; ends_at: number };

const DEFAULT_LIFE_S = 300;
/** A token the customer's API refuses is asked for again, but not with every call. */
const LEAST_AGE_MS = 30_000;
const LONGEST_ANSWER = 64 * 1024;
/** Of all tokens kept: their issuers decide how long one is. */
const MAX_TOKEN_CHARACTERS = 16 * 2 ** 20;
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

const tokens = new LRUCache<string, AccessToken>({
  max: 10_000,
  maxSize: MAX_TOKEN_CHARACTERS,
  sizeCalculation: ({ text }) => text.length,
});
const fetching = new Map<string, Promise<AccessToken>>();

/** The call that needs a token. */
type Asker = {
  isolation_key: string;
  /** Called when fetching the token had to wait for a slot: rejects where the secret must not be sent any more. */
  recheck(): Promise<void>;
};

/** At once when one is at hand. */
export function accessToken(app: App, source: TokenSource, asker: Asker): AccessToken | Promise<AccessToken> {
  const known = cachedToken(app, source);
  if (known) return known;
  const underway = fetching.get(source.key);
  if (underway) return underway;
  const mine = fetchToken(app, source, asker).finally(() => fetching.delete(source.key));
  fetching.set(source.key, mine);
  return mine;
}

export function cachedToken(app: App, source: TokenSource): AccessToken | undefined {
  const known = tokens.get(source.key);
  return known && known.ends_at > app.now() ? known : undefined;
}

/** The customer's API answered 401: the next call asks for another token. */
export function tokenRefused(app: App, source: TokenSource, token: AccessToken): void {
  if (tokens.get(source.key) === token && app.now() - token.fetched_at >= LEAST_AGE_MS) tokens.delete(source.key);
}

async function fetchToken(app: App, source: TokenSource, { isolation_key, recheck }: Asker): Promise<AccessToken> {
  const { key, origin, timeout_ms } = source;
  const answer = await app.send({
    isolation_key,
    origin,
    method: 'POST',
    build: (has_waited) => (has_waited ? recheck().then(() => tokenRequest(source)) : tokenRequest(source)),
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: LONGEST_ANSWER,
  });
  // What a token endpoint says about a refusal may repeat what it was sent.
  if (answer.status < 200 || answer.status > 299)
    throw refuse.upstreamStatus({ details: { upstream_status: answer.status, field: 'auth_config.token_url' } });
  const { access_token, expires_in } = readAnswer(answer.body);
  if (typeof access_token !== 'string' || !TOKEN.test(access_token))
    throw refuse.toolExecutionFailed({ cause: new Error('the token endpoint answered without an access_token') });
  const now = app.now();
  const life_ms = (typeof expires_in === 'number' && expires_in > 0 ? expires_in : DEFAULT_LIFE_S) * 1000;
  const token = { text: access_token, fetched_at: now, ends_at: now + life_ms - Math.min(60_000, life_ms / 10) };
  tokens.set(key, token);
  return token;
}

function tokenRequest({ path, client_id, client_secret, scope }: TokenSource): Message {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  const credentials = Buffer.from(`${formEncode(client_id)}:${formEncode(client_secret)}`).toString('base64');
  return {
    path,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  };
}

function readAnswer(body: Buffer): { access_token?: unknown; expires_in?: unknown } {
  const value = parseAnswer(body.toString());
  return typeof value === 'object' && value !== null ? value : {};
}

/** RFC 6749 §2.3.1 */
const formEncode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
