// DNS rebinding: a web page that points its own name at this server's address would reach it from the inside (GHSA-w48q-cv73-mx4w).
// Such a request names the page's host, so only hosts that cannot be a stranger's are served.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { type ApiError, refuse } from '../errors.ts';

/** A check of the Host and Origin of each request; `public_url` is the address the outside sees. */
export function originCheck(public_url: string): (headers: IncomingHttpHeaders) => void {
  const own = new URL(public_url);
  /** The Host that was served last: most requests name the same. */
  let served: string | undefined = own.host;
  return ({ host, origin }) => {
    if (host === served && origin === undefined) return;
    // A URL parser would take what stands before an @ or behind a slash for something else than a host.
    const hostname = host === undefined || /[@/\\?#]/.test(host) ? null : hostnameOf(`http://${host}`);
    if (hostname === null || !(hostname === own.hostname || isUnclaimable(hostname))) throw refused('Host', host);
    served = host;
    if (origin === undefined) return;
    const from = hostnameOf(origin);
    if (from === null || !(from === own.hostname || from === hostname || isLoopback(from)))
      throw refused('Origin', origin);
  };
}

/** Nobody can register an address, or a name without a dot. */
function isUnclaimable(hostname: string): boolean {
  return !hostname.includes('.') || isIP(hostname) !== 0;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** `null`, the origin of a sandboxed page, has none. */
function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname || null : null;
}

function refused(field: string, value = ''): ApiError {
  return refuse.hostNotAllowed({
    details: { field, value, hint: 'TOOLGATE_PUBLIC_URL names the address of this server' },
  });
}
