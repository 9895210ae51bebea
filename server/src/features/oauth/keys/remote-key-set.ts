// Key sets at an address: fetched through the address guard, cached for 10 minutes. A kid that is not in the set is looked for again
// at most once a minute. Slots and connections are those of the URL in its project, so that a slow one delays nobody else.

import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import { parseStrict } from '../../../engines/json-text/parse-strict.ts';
import { version } from '../../../installation.ts';
import { type Certificate, SendError } from '../../../outbound/messages.ts';
import { hasKid, type KeySet, readKeySet } from './key-set.ts';

const LIFETIME_MS = 600_000;
/** Until a kid that the set lacks is looked for again. */
const REFETCH_AFTER_MS = 60_000;
/** Until a URL that failed is asked again: anyone who knows a client_id can ask for it. */
const RETRY_AFTER_MS = 5_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 128 * 1024;

export type KeySetAddress = { url: string; project_id: string; fairness_key: string; certificate: Certificate | null };

/** `asked_at`: when it was last looked for, also in vain. */
type Entry = { fetched_at: number; asked_at: number; set: Promise<KeySet | string> };

/** By project, URL and certificate. Each is at most 128 KiB of text. */
const createKeySets = () => new LRUCache<string, Entry>({ max: 500 });

/** Returns what is wrong as text. `kid`: the key that is looked for; null for any. Do not hold a database permit. */
export async function findRemoteKeySet(app: App, address: KeySetAddress, kid: string | null): Promise<KeySet | string> {
  const key = `${address.project_id} ${address.certificate?.fingerprint} ${address.url}`;
  const now = app.now();
  const entries = app.stateOf(createKeySets);
  let entry = entries.get(key);
  if (!entry || now >= entry.fetched_at + LIFETIME_MS) entry = fetchAnew(app, key, address);
  const set = await entry.set;
  if (typeof set === 'string' || kid === null || hasKid(set, kid)) return set;
  if (now < entry.asked_at + REFETCH_AFTER_MS) return set;
  entry.asked_at = now;
  const newer = await fetchKeySet(app, address);
  // The older set is still good if the URL does not respond now.
  if (typeof newer === 'string') return set;
  entries.set(key, { fetched_at: now, asked_at: now, set: Promise.resolve(newer) });
  return newer;
}

function fetchAnew(app: App, key: string, address: KeySetAddress): Entry {
  const now = app.now();
  const fetching = fetchKeySet(app, address).then((set) => {
    // As if it had been fetched so long ago that it is fetched again soon.
    if (typeof set === 'string') entry.fetched_at = app.now() - LIFETIME_MS + RETRY_AFTER_MS;
    return set;
  });
  const entry: Entry = { fetched_at: now, asked_at: now, set: fetching };
  app.stateOf(createKeySets).set(key, entry);
  return entry;
}

async function fetchKeySet(app: App, { url, fairness_key, certificate }: KeySetAddress): Promise<KeySet | string> {
  const { origin, pathname, search } = new URL(url);
  try {
    const { status, body, truncated } = await app.send({
      isolation_key: fairness_key,
      isolation_part: `jwks ${origin}`,
      origin,
      method: 'GET',
      path: pathname + search,
      headers: { accept: 'application/jwk-set+json, application/json', 'user-agent': `toolgate/${version}` },
      timeout_ms: TIMEOUT_MS,
      max_response_bytes: MAX_BYTES,
      certificate,
    });
    if (status !== 200) return `returned status ${status}`;
    if (truncated) return `is larger than ${MAX_BYTES / 1024} KiB`;
    return readKeySet(parseStrict(body, { max_depth: 8, max_members: 2_000 }));
  } catch (error) {
    // The reason could tell what is inside the network.
    return error instanceof SendError ? 'cannot be fetched' : 'is not valid JSON';
  }
}
