// REDIS_URL: one Redis, or the Sentinels that know which Redis is the master.

import { splitHosts } from '../engines/split-hosts.ts';

export type SentinelUrl = {
  sentinels: { host: string; port: number }[];
  /** Of the master, as the Sentinels call it. */
  name: string;
  /** Of Redis. */
  username: string | null;
  password: string | null;
  /** Of the Sentinels. */
  sentinel_password: string | null;
  is_tls: boolean;
};

const SENTINEL = /^(rediss?)-sentinel:\/\//;
const DEFAULT_PORT = 26_379;

export const isSentinelUrl = (url: string) => SENTINEL.test(url);

/** Null if it is not redis-sentinel://[user:password@]host:port,host:port/name, with ?sentinel_password=… where they have one. */
export function parseSentinelUrl(url: string): SentinelUrl | null {
  const urls = splitHosts(url).map((each) => URL.parse(each));
  const [first] = urls;
  if (!first || !isSentinelUrl(url)) return null;
  const sentinels: SentinelUrl['sentinels'] = [];
  for (const each of urls) {
    if (!each?.hostname) return null;
    sentinels.push({ host: each.hostname.replace(/^\[|\]$/g, ''), port: Number(each.port || DEFAULT_PORT) });
  }
  try {
    const name = decodeURIComponent(first.pathname.slice(1));
    if (!/^[\w.-]+$/.test(name)) return null;
    return {
      sentinels,
      name,
      username: decodeURIComponent(first.username) || null,
      password: decodeURIComponent(first.password) || null,
      sentinel_password: first.searchParams.get('sentinel_password'),
      is_tls: first.protocol === 'rediss-sentinel:',
    };
  } catch {
    return null; // not percent-encoded
  }
}
