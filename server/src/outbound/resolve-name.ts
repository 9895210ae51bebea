// Every address of a name, from /etc/hosts or else from the name servers of resolv.conf. Asked with c-ares and not with
// getaddrinfo: that blocks one of libuv's four threads for as long as a name server is silent (decision 0065).

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Lookup } from './connect.ts';
import { openHostsFile } from './hosts-file.ts';

export type ResolveOptions = {
  hosts_path?: string;
  /** `address:port`, instead of those of resolv.conf. */
  servers?: string[];
  /** For one look-up in all. */
  deadline_ms?: number;
};

/** Until a name server is asked again, or the next one instead. */
const RETRY_AFTER_MS = 500;
const TRIES = 3;

export function createLookup(options: ResolveOptions = {}): Lookup {
  const { hosts_path = '/etc/hosts', servers, deadline_ms = 2_000 } = options;
  const listedAddresses = openHostsFile(hosts_path);

  return async (hostname) => {
    const listed = listedAddresses(hostname);
    if (listed.length > 0) return listed;
    // RFC 6761 6.3: never a question for DNS.
    if (/(?:^|\.)localhost$/i.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
    // One for each look-up: no name server statistics, sockets or queue that another look-up could spoil.
    const resolver = new Resolver({ timeout: RETRY_AFTER_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadline_ms);
    const questions = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    const answers = await Promise.allSettled(questions);
    clearTimeout(timer);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0) await Promise.all(questions); // throws what DNS said
    return found.map((address) => ({ address, family: isIP(address) }));
  };
}
