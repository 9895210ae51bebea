// DNS rebinding: a web page whose own host name resolves to this server's address would reach it from inside the network
// (GHSA-w48q-cv73-mx4w). Such a request has the page's host in Host, so only hosts that no attacker can own are accepted.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { type ApiError, refuse } from '../errors/errors.ts';

/** Returns a check of the Host and Origin of each request. `public_url` is the server's URL for clients. */
export function createOriginCheck(public_url: string): (headers: IncomingHttpHeaders) => void {
  const own = new URL(public_url);
  /** The last accepted Host: most requests have the same, and skip the parsing. */
  let lastAccepted: string | undefined = own.host;
  return ({ host, origin }) => {
    if (host === lastAccepted && origin === undefined) return;
    // A URL parser would read text before an @ or after a slash as user info or path, not as part of the host.
    const hostname = host === undefined || /[@/\\?#]/.test(host) ? null : hostnameOf(`http://${host}`);
    if (hostname === null || !(hostname === own.hostname || cannotBeRegistered(hostname)))
      throw hostRefused('Host', host);
    lastAccepted = host;
    if (origin === undefined) return;
    const originHostname = hostnameOf(origin);
    if (
      originHostname === null ||
      !(originHostname === own.hostname || originHostname === hostname || isLoopback(originHostname))
    )
      throw hostRefused('Origin', origin);
  };
}

/** IP addresses and names without a dot cannot be registered by an attacker. */
function cannotBeRegistered(hostname: string): boolean {
  return !hostname.includes('.') || isIP(hostname) !== 0;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Null also for the Origin `null` of a sandboxed page. */
function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname || null : null;
}

function hostRefused(field: string, value = ''): ApiError {
  return refuse.hostNotAllowed({
    details: { field, value },
  });
}
