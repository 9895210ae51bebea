// DNS rebinding: a web page that points its own name at this server's address would reach it from the inside (GHSA-w48q-cv73-mx4w).
// Such a request names the page's host, so only hosts that cannot be a stranger's are served.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { refuse } from '../errors.ts';

export function checkOrigin(public_url: string, headers: IncomingHttpHeaders): void {
  const own = new URL(public_url).hostname;
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  if (host === null || !(host === own || isUnclaimable(host))) throw refused('Host', headers.host);
  if (headers.origin === undefined) return;
  const origin = hostnameOf(headers.origin);
  if (origin === null || !(origin === own || origin === host || isLoopback(origin)))
    throw refused('Origin', headers.origin);
}

/** Nobody can register an address or a name without a dot. */
function isUnclaimable(host: string): boolean {
  return !host.includes('.') || isIP(host) !== 0;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname || null : null;
}

function refused(field: string, value: string | undefined) {
  return refuse.hostNotAllowed({
    details: { field, value: value ?? '', hint: 'TOOLGATE_PUBLIC_URL names the address of this server' },
  });
}
