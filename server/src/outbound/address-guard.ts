// Decides which addresses the server may call. Pure functions: no network, no clock.
// A name is checked twice: its spelling when it is saved, and its addresses each time we connect (connect.ts).

import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Normalised `address:port` pairs, IPv6 in brackets. */
export type AddressPorts = ReadonlySet<string>;

export type OriginProblem =
  | 'not_url'
  | 'not_https'
  /** It has a path, query, fragment or user. */
  | 'not_origin'
  | 'bad_host'
  | 'bad_port'
  | 'not_public';

export type CheckedOrigin = {
  /** As the Host header spells it: lower case, no default port, no slash. */
  origin: string;
  /** A name or an address, IPv6 without brackets. */
  hostname: string;
  port: number;
};

/** Azure's metadata and DNS address: in a public range, but internal. */
const NOT_PUBLIC_V4 = '168.63.129.16';

/** Names that only mean something on the operator's own network. */
const LOCAL_NAMES = ['localhost', 'local', 'localdomain', 'internal', 'home.arpa', 'onion'];

/** Ports of databases, control planes and other services that may act on a request not meant for them; browsers refuse some of them. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672,
  5900, 5984, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 10255,
  11211, 27017, 27018, 27019,
]);

const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return address !== NOT_PUBLIC_V4 && ipaddr.IPv4.parse(address).range() === 'unicast';
  if (isIP(address) === 0 || address.includes('%')) return false;
  const ip = ipaddr.IPv6.parse(address);
  // ipaddr.js alone calls ::7f00:1, 100:0:0:1::1 and 4000::1 unicast; only 2000::/3 is allocated.
  return ((ip.parts[0] ?? 0) & 0xe000) === 0x2000 && ip.range() === 'unicast';
}

/** The operator's list, `127.0.0.1:8443,[::1]:9443`, and the entries that are not an address and a port. */
export function parseAllowList(text: string): { allowed: AddressPorts; problems: string[] } {
  const allowed = new Set<string>();
  const problems: string[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, v6, v4, digits] = /^(?:\[([^\]%]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(entry) ?? [];
    const address = v6 ?? v4 ?? '';
    const port = Number(digits);
    if (isIP(address) === (v6 ? 6 : 4) && port >= 1 && port <= 65_535) allowed.add(addressPort(address, port));
    else problems.push(entry);
  }
  return { allowed, problems };
}

/** Checked at connect time. `allow`, set by the operator, takes precedence; `deny` holds our own listen addresses. */
export function mayConnect(address: string, port: number, allow: AddressPorts, deny: AddressPorts): boolean {
  if (isIP(address) === 0) return false;
  const key = addressPort(address, port);
  return allow.has(key) || (!deny.has(key) && isPublicAddress(address));
}

/**
 * Reads `https://host[:port]`, one trailing slash allowed. The text must equal what WHATWG URL makes of it, which excludes
 * 2130706433, 0x7f.1, full-width digits, percent signs, tabs or backslashes.
 */
export function checkOrigin(text: string, allow: AddressPorts): CheckedOrigin | { problem: OriginProblem } {
  if (!/^https:/i.test(text)) return { problem: /^[a-z][a-z0-9+.-]*:/i.test(text) ? 'not_https' : 'not_url' };
  const given = text.toLowerCase().replace(/\/$/, '');
  if (/[/\\?#@]/.test(given.slice('https://'.length))) return { problem: 'not_origin' };
  const url = URL.parse(text);
  if (url === null) return { problem: 'not_url' };
  const isDefaultPort = url.port === '';
  if (given !== url.origin && !(isDefaultPort && given === `${url.origin}:443`)) return { problem: 'bad_host' };

  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = isDefaultPort ? 443 : Number(url.port);
  const problem = isIP(hostname) ? literalProblem(hostname, port, allow) : nameProblem(hostname, port, allow);
  return problem ? { problem } : { origin: url.origin, hostname, port };
}

function literalProblem(address: string, port: number, allow: AddressPorts): OriginProblem | undefined {
  if (allow.has(addressPort(address, port))) return undefined;
  if (!isPublicAddress(address)) return 'not_public';
  if (!isIPv4(address)) return 'bad_host';
  return isUsualPort(port) ? undefined : 'bad_port';
}

function nameProblem(name: string, port: number, allow: AddressPorts): OriginProblem | undefined {
  if (name.length > 253 || !NAME.test(name)) return 'bad_host';
  // The addresses are checked at connect time; with a port that is not on the allow list they could never pass.
  const portIsListed = [...allow].some((entry) => entry.endsWith(`:${port}`));
  if (portIsListed) return undefined;
  if (!name.includes('.') || LOCAL_NAMES.some((local) => name === local || name.endsWith(`.${local}`)))
    return 'not_public';
  return isUsualPort(port) ? undefined : 'bad_port';
}

function isUsualPort(port: number): boolean {
  return port === 443 || (port >= 1024 && !BAD_PORTS.has(port));
}

/** The canonical text of an address and port. */
export function addressPort(address: string, port: number): string {
  return isIPv4(address) ? `${address}:${port}` : `[${ipaddr.IPv6.parse(address).toString()}]:${port}`;
}
