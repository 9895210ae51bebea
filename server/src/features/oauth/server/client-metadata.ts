// Client id metadata documents: the client_id is an HTTPS URL, and the document there names the client and its redirect URIs. It is
// fetched through the address guard, and cached; so is a document that cannot be used, for minutes. A fetch that failed is not:
// whoever asked may have caused it. Nothing that the document links to is fetched.

import { redirectUriProblem } from '@toolgate/contract/oauth-clients/redirect-uri.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { parseStrict } from '../../../engines/json-text/parse-strict.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { createNetworkLimit } from '../../../limits/network-limit.ts';
import type { OutboundResponse } from '../../../outbound/messages.ts';

const MAX_URL_LENGTH = 2048;
const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 5_000;
const HOUR_MS = 3_600_000;
/** For a document, unless it says otherwise; and the most that it can say. */
const LIFETIME_MS = HOUR_MS;
const MAX_LIFETIME_MS = 24 * HOUR_MS;
const FAILURE_LIFETIME_MS = 5 * 60_000;

export type ClientMetadata = { client_id: string; name: string; redirect_uris: string[] };
type Entry = { expires_at: number } & ({ client: ClientMetadata } | { problem: string });

const createDocuments = () => ({
  entries: new LRUCache<string, Entry>({ max: 1_000 }),
  fetches: createNetworkLimit({ max: 10, window_ms: HOUR_MS }),
});

const document = z.looseObject({
  client_id: z.string(),
  client_name: z.string().trim().min(1).max(128).optional(),
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  token_endpoint_auth_method: z.string().optional(),
});

/** HTTPS with a path, no user info, no fragment, and written in one way only. */
export function isMetadataUrl(client_id: string): boolean {
  if (!client_id.startsWith('https://') || client_id.length > MAX_URL_LENGTH || !URL.canParse(client_id)) return false;
  const { href, pathname, username, password, hash } = new URL(client_id);
  return href === client_id && pathname !== '/' && username === '' && password === '' && hash === '';
}

/** Throws a refusal, which the page explains, if the document cannot be had or used. */
export async function fetchClientMetadata(app: App, client_id: string, ip: string): Promise<ClientMetadata> {
  const now = app.now();
  const { entries, fetches } = app.stateOf(createDocuments);
  let entry = entries.get(client_id);
  if (!entry || entry.expires_at <= now) {
    const retry_after_seconds = fetches.count(ip, now);
    if (retry_after_seconds !== null)
      throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(retry_after_seconds) } });
    entry = await load(app, client_id, clientNetwork(ip));
    entries.set(client_id, entry);
  }
  if ('client' in entry) return entry.client;
  throw unusable(entry.problem);
}

const unusable = (problem: string) =>
  refuse.unknownOAuthClient({ details: { field: 'client_id', remedy: `Its metadata document ${problem}.` } });

async function load(app: App, client_id: string, network: string): Promise<Entry> {
  const response = await send(app, new URL(client_id), network);
  const client = readDocument(client_id, response);
  if (typeof client === 'string') return { expires_at: app.now() + FAILURE_LIFETIME_MS, problem: client };
  return { expires_at: app.now() + lifetimeOf(response.headers['cache-control']), client };
}

async function send(app: App, { origin, pathname, search }: URL, network: string): Promise<OutboundResponse> {
  try {
    return await app.send({
      // Slots, DNS lookups and a circuit breaker of its own: names that do not resolve and slow documents delay no tool call, no
      // other client's document, and nobody in another network. The limit of fetches bounds how many of them a network has.
      isolation_key: `client-metadata ${network} ${origin}`,
      origin,
      method: 'GET',
      path: pathname + search,
      headers: { accept: 'application/json' },
      timeout_ms: TIMEOUT_MS,
      max_response_bytes: MAX_BYTES,
    });
  } catch {
    // The reason could tell what is inside the network.
    throw unusable('cannot be fetched');
  }
}

/** Returns the problem as text. */
function readDocument(client_id: string, { status, body, truncated }: OutboundResponse): ClientMetadata | string {
  if (status !== 200) return 'was not found';
  if (truncated) return 'is larger than 5 KB';
  let value: unknown;
  try {
    value = parseStrict(body, { max_depth: 8 });
  } catch {
    return 'is not valid JSON';
  }
  const parsed = document.safeParse(value);
  if (!parsed.success) return 'lacks a valid client_id, client_name or redirect_uris';
  const { client_name, redirect_uris, token_endpoint_auth_method = 'none' } = parsed.data;
  if (parsed.data.client_id !== client_id) return 'has a client_id other than its URL';
  if (token_endpoint_auth_method !== 'none') return 'must have token_endpoint_auth_method "none"';
  const usable = redirect_uris.filter((uri) => redirectUriProblem(uri) === null);
  if (usable.length === 0) return 'has no redirect URI that is HTTPS or a loopback address';
  return { client_id, name: client_name ?? new URL(client_id).host, redirect_uris: usable };
}

function lifetimeOf(cache_control = ''): number {
  if (/\bno-(store|cache)\b/i.test(cache_control)) return FAILURE_LIFETIME_MS;
  const [, seconds] = /\bmax-age=(\d{1,9})\b/i.exec(cache_control) ?? [];
  if (seconds === undefined) return LIFETIME_MS;
  return Math.min(Math.max(Number(seconds) * 1000, FAILURE_LIFETIME_MS), MAX_LIFETIME_MS);
}
