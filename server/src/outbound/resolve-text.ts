// Reads the TXT records of a name from the name servers of resolv.conf. Uses c-ares, as resolve-name.ts does.

import { Resolver } from 'node:dns/promises';

export type TextOptions = {
  /** `address:port`, instead of those of resolv.conf. */
  servers?: readonly string[];
  /** For the whole lookup. */
  deadline_ms?: number;
};

/** Rejects with the DNS error, also if there is no such record. */
export type TextLookup = (name: string) => Promise<string[]>;

const RETRY_AFTER_MS = 500;
const TRIES = 3;

export function createTextLookup({ servers, deadline_ms = 2_000 }: TextOptions = {}): TextLookup {
  return async (name) => {
    // One for each lookup: it shares no server statistics, sockets or queue with other lookups.
    const resolver = new Resolver({ timeout: RETRY_AFTER_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadline_ms);
    try {
      // A record is a list of texts of at most 255 bytes that belong together.
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } finally {
      clearTimeout(timer);
    }
  };
}
