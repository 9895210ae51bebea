// Resolves a name to all its addresses, from /etc/hosts or else from the name servers of resolv.conf. Uses c-ares and not
// getaddrinfo, which blocks one of libuv's four threads while a name server does not respond (docs/design/outgoing-requests.md).

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Lookup } from './connect.ts';
import { openHostsFile } from './hosts-file.ts';

export type ResolveOptions = {
  hosts_path?: string;
  /** `address:port`, instead of those of resolv.conf. */
  servers?: string[];
  /** For the whole lookup. */
  deadline_ms?: number;
};

/** Then the query is sent again, to the same or the next name server. */
const RETRY_AFTER_MS = 500;
const TRIES = 3;

export function createLookup(options: ResolveOptions = {}): Lookup {
  const { hosts_path = '/etc/hosts', servers, deadline_ms = 2_000 } = options;
  const listedAddresses = openHostsFile(hosts_path);

  return async (hostname) => {
    const listed = listedAddresses(hostname);
    if (listed.length > 0) return listed;
    // RFC 6761 6.3: never sent to DNS.
    if (/(?:^|\.)localhost$/i.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
    // One for each lookup: it shares no server statistics, sockets or queue with other lookups.
    const resolver = new Resolver({ timeout: RETRY_AFTER_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadline_ms);
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    const results = await Promise.allSettled(queries);
    clearTimeout(timer);
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (found.length === 0) await Promise.all(queries); // rejects with the DNS error
    return found.map((address) => ({ address, family: isIP(address) }));
  };
}
