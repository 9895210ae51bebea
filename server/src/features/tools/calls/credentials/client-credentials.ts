// oauth2_client_credentials (RFC 6749 §4.4): one access token for each version of a tool, and token_exchange (RFC 8693): one for each
// member too, fetched when first needed and used
// until shortly before it ends. The token itself is only in `app.cache`. A longer-lived copy is sealed with the data key of the
// project, so that a change to the project needs no new token and a deleted project's token cannot be opened.

import { LRUCache } from 'lru-cache';
import type { Project } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import type { Certificate, Message } from '../../../../outbound/messages.ts';
import { parseResponse } from '../results/response-text.ts';

export type TokenSource = {
  /** The tool and its version: a new secret is a new version. And its certificate. */
  key: string;
  project_id: string;
  origin: string;
  /** With the query, if there is one. */
  path: string;
  client_id: string;
  client_secret: string;
  scope: string | undefined;
  /** That of the tool. */
  certificate: Certificate | null;
  timeout_ms: number;
  /** What is sent besides scope and credentials; that of client_credentials by default. */
  makeForm?: () => Record<string, string>;
};

type Lifetime = { fetched_at: number; ends_at: number };
export type AccessToken = Lifetime & { text: string };
type SealedToken = Lifetime & { sealed: string };

const DEFAULT_LIFETIME_S = 300;
/** A token that the customer's API refuses is fetched again, but not with every call. */
const MIN_AGE_MS = 30_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

const createTokens = () => ({
  sealed: new LRUCache<string, SealedToken>({ max: 10_000 }),
  loading: new Map<string, Promise<AccessToken>>(),
});

/** The call that needs a token. */
type Requester = {
  project: Project;
  /** Called when fetching the token had to wait for a slot: rejects if the secret must not be sent any more. */
  recheck(): Promise<void>;
};

/** Returns a cached token without a promise. Concurrent callers share one fetch. */
export function accessToken(app: App, source: TokenSource, requester: Requester): AccessToken | Promise<AccessToken> {
  const cached = cachedToken(app, source);
  if (cached) return cached;
  const { loading } = app.stateOf(createTokens);
  const started = loading.get(source.key);
  if (started) return started;
  const token = loadToken(app, source, requester).finally(() => loading.delete(source.key));
  loading.set(source.key, token);
  return token;
}

export function cachedToken(app: App, source: TokenSource): AccessToken | undefined {
  const token = app.cache.get<AccessToken>('access_token', source.key);
  return token && isValid(app, token) ? token : undefined;
}

/** The customer's API responded with 401: the next call fetches another token. */
export function tokenRefused(app: App, source: TokenSource, token: AccessToken): void {
  const { sealed } = app.stateOf(createTokens);
  const current = sealed.get(source.key);
  if (current?.fetched_at !== token.fetched_at || app.now() - token.fetched_at < MIN_AGE_MS) return;
  sealed.delete(source.key);
  app.cache.delete('access_token', source.key);
}

async function loadToken(app: App, source: TokenSource, requester: Requester): Promise<AccessToken> {
  // One that has ended.
  app.cache.delete('access_token', source.key);
  const load = async () => ({
    project_id: source.project_id,
    value: (await openToken(app, source, requester)) ?? (await fetchToken(app, source, requester)),
  });
  return (await app.cache.getOrLoad<AccessToken>('access_token', source.key, load, { share: false })) as AccessToken;
}

async function openToken(
  app: App,
  { key, project_id }: TokenSource,
  { project }: Requester,
): Promise<AccessToken | null> {
  const kept = app.stateOf(createTokens).sealed.get(key);
  if (!kept || !isValid(app, kept)) return null;
  const { sealed, fetched_at, ends_at } = kept;
  const text = await app.permits.run(project, () =>
    app.secrets.open(app.database, project_id, sealContext(key), sealed),
  );
  return { text: text.toString(), fetched_at, ends_at };
}

async function fetchToken(app: App, source: TokenSource, requester: Requester): Promise<AccessToken> {
  const { key, project_id, origin, certificate, timeout_ms } = source;
  const { project, recheck } = requester;
  const response = await app.send({
    isolation_key: project.fairness_key,
    origin,
    method: 'POST',
    build: (has_waited) => (has_waited ? recheck().then(() => tokenRequest(source)) : tokenRequest(source)),
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: MAX_RESPONSE_BYTES,
    certificate,
  });
  // The body is not passed on: the error of a token endpoint may contain what was sent to it.
  if (response.status < 200 || response.status > 299)
    throw refuse.upstreamStatus({
      details: {
        upstream_status: response.status,
        field: 'auth_config.token_url',
        reason: 'token_endpoint_refused',
      },
    });
  const { access_token: text, expires_in } = parseTokenResponse(response.body);
  if (typeof text !== 'string' || !TOKEN.test(text))
    throw refuse.toolExecutionFailed({ cause: "the token endpoint's response has no access_token" });
  const fetched_at = app.now();
  const lifetime_ms = (typeof expires_in === 'number' && expires_in > 0 ? expires_in : DEFAULT_LIFETIME_S) * 1000;
  const ends_at = fetched_at + lifetime_ms - Math.min(60_000, lifetime_ms / 10);
  const sealed = await app.permits.run(project, () =>
    app.secrets.seal(app.database, project_id, sealContext(key), text),
  );
  app.stateOf(createTokens).sealed.set(key, { sealed, fetched_at, ends_at });
  return { text, fetched_at, ends_at };
}

const isValid = (app: App, { ends_at }: Lifetime) => ends_at > app.now();

const sealContext = (key: string) => ({ table: 'custom_tools', column: 'access_token', row_id: key });

function tokenRequest({ path, client_id, client_secret, scope, makeForm }: TokenSource): Message {
  const grant = makeForm ? makeForm() : { grant_type: 'client_credentials' };
  const form = new URLSearchParams({ ...grant, ...(scope === undefined ? {} : { scope }) });
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

function parseTokenResponse(body: Buffer): { access_token?: unknown; expires_in?: unknown } {
  const value = parseResponse(body.toString());
  return typeof value === 'object' && value !== null ? value : {};
}

/** RFC 6749 §2.3.1 */
const formEncode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
