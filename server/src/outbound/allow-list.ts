// The operator's allow list (TOOLGATE_EGRESS_ALLOW): what an entry may be, and what it allows. Pure functions over plain data, which
// a worker thread can be given. docs/design/outgoing-requests.md has the reasons.

import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { canonicalAddress, firstOfNetwork, isInNetwork, isMapped, isUnspecified } from './address-ranges.ts';
import { isUsualPort } from './port-rules.ts';

export type Scheme = 'https' | 'http';

type Host =
  /** One address is a network of 32 or 128 bits. */
  | { kind: 'network'; network: string; prefix: number }
  | { kind: 'name'; name: string }
  /** Every name that ends with a dot and this, not the suffix itself. */
  | { kind: 'suffix'; suffix: string };

export type AllowEntry = Host & {
  /** As it is printed: the one spelling of all that mean the same. */
  text: string;
  /** `http`: plain HTTP to exactly this host and port. */
  scheme: Scheme;
  /** Null: every port that may be called without being named (port-rules.ts). */
  port: number | null;
};

export type AllowList = readonly AllowEntry[];

export type Target = { scheme: Scheme; hostname: string; port: number };

/** Lower case, at most 63 characters between the dots. */
export const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether the list has this name, or a suffix of it. Always false for an address. */
export function allowsName(list: AllowList, { scheme, hostname, port }: Target): boolean {
  return list.some(
    (entry) =>
      entry.scheme === scheme &&
      isPortOf(entry, port) &&
      ((entry.kind === 'name' && entry.name === hostname) ||
        (entry.kind === 'suffix' && isIP(hostname) === 0 && hostname.endsWith(`.${entry.suffix}`))),
  );
}

/** Whether the list has this address with this port, or a network that has it. The address is canonical. */
export function allowsAddress(list: AllowList, scheme: Scheme, address: string, port: number): boolean {
  return list.some(
    (entry) =>
      entry.kind === 'network' &&
      entry.scheme === scheme &&
      isPortOf(entry, port) &&
      ((isOneAddress(entry) && entry.network === address) ||
        // Nobody who writes ::/0 or 0.0.0.0/0 thinks of these.
        (!isMapped(address) && !isUnspecified(address) && isInNetwork(address, entry.network, entry.prefix))),
  );
}

/** Whether one entry is this very address and port. */
export function allowsExactly(list: AllowList, scheme: Scheme, address: string, port: number): boolean {
  return list.some(
    (entry) =>
      entry.kind === 'network' &&
      entry.scheme === scheme &&
      entry.port === port &&
      entry.network === address &&
      isOneAddress(entry),
  );
}

/** Whether some address may be called at this port, so that a name could stand for it. */
export function allowsSomeAddress(list: AllowList, port: number): boolean {
  return list.some((entry) => entry.kind === 'network' && entry.scheme === 'https' && isPortOf(entry, port));
}

const isPortOf = (entry: AllowEntry, port: number) => (entry.port === null ? isUsualPort(port) : entry.port === port);

const isOneAddress = ({ network, prefix }: { network: string; prefix: number }) =>
  prefix === (isIP(network) === 4 ? 32 : 128);

/**
 * Reads entries separated by commas or line breaks; the rest of a line after `#` is a comment. A problem names its entry and says
 * what to write instead.
 */
export function parseAllowList(text: string): { allowed: AllowList; problems: string[] } {
  const allowed = new Map<string, AllowEntry>();
  const problems: string[] = [];
  const entries = text.split(/\r?\n/).flatMap((line) => line.replace(/#.*$/, '').split(','));
  for (const entry of entries.map((part) => part.trim())) {
    if (entry === '') continue;
    const parsed = parseEntry(entry);
    if (typeof parsed === 'string') problems.push(`"${entry}": ${parsed}`);
    else allowed.set(parsed.text, parsed);
  }
  return { allowed: [...allowed.values()], problems };
}

/** The entry, or what is wrong with it. */
function parseEntry(entry: string): AllowEntry | string {
  const scheme = /^http:\/\//i.test(entry) ? 'http' : 'https';
  const place = scheme === 'http' ? entry.slice('http://'.length).replace(/\/$/, '') : entry;
  if (place.includes('://')) return `remove everything before the host, as in ${exampleOf(place)}`;
  const { host_text, port_text } = splitPort(place);
  if (host_text === null) return 'an IPv6 address goes in brackets, as in [fd00::5]:8443 or [fd00::/8]:8443';
  const port = port_text === null ? (scheme === 'http' ? 80 : null) : readPort(port_text);
  if (port === undefined) return 'a port is a number from 1 to 65535';
  const host = parseHost(host_text);
  if (typeof host === 'string') return host;
  if (scheme === 'http' && (host.kind === 'suffix' || (host.kind === 'network' && !isOneAddress(host))))
    return 'plain HTTP is allowed to one host and port only, as in http://10.0.0.5:8080';
  return { ...host, scheme, port, text: textOf(host, scheme, port) };
}

const exampleOf = (place: string) => URL.parse(place)?.host || 'api.example.com:8443';

/** `host_text` is null if the colons of an IPv6 address cannot be told from that of a port. */
function splitPort(place: string): { host_text: string | null; port_text: string | null } {
  const bracketed = /^\[([^[\]]*)\](\/\d+)?(?::(.*))?$/.exec(place);
  if (bracketed) {
    const [, inside = '', prefix = '', port_text = null] = bracketed;
    return { host_text: inside.includes(':') ? inside + prefix : null, port_text };
  }
  if (/^[^[\]]*:[^[\]]*:[^[\]]*\/\d+$/.test(place)) return { host_text: place, port_text: null };
  const [host_text = '', port_text = null, ...more] = place.split(':');
  return more.length > 0 || /[[\]]/.test(place) ? { host_text: null, port_text: null } : { host_text, port_text };
}

function readPort(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function parseHost(text: string): Host | string {
  const [address = '', prefix_text, ...more] = text.split('/');
  const version = isIP(address);
  if (address.includes('%')) return 'an address has no zone, such as %eth0';
  if (version !== 0 && more.length === 0) return parseNetwork(address, prefix_text, version === 4 ? 32 : 128);
  if (text.includes('/')) return 'use a host without a path, or a range such as 10.0.0.0/8';
  if (text.startsWith('*.')) {
    const suffix = parseName(text.slice(2));
    return suffix === null
      ? '*. must be followed by the rest of a host name, as in *.svc.local'
      : { kind: 'suffix', suffix };
  }
  const name = parseName(text);
  return name === null
    ? 'it is not an IP address, range (10.0.0.0/8), host name or *.suffix, each with or without a port, and not http://host:port'
    : { kind: 'name', name };
}

function parseNetwork(address: string, prefix_text: string | undefined, bits: number): Host | string {
  const prefix = prefix_text === undefined ? bits : /^\d{1,3}$/.test(prefix_text) ? Number(prefix_text) : bits + 1;
  if (prefix > bits) return `a range ends with a number of bits from /0 to /${bits}`;
  const network = canonicalAddress(address);
  const first = firstOfNetwork(network, prefix);
  if (first !== network) return `the range begins at ${first}: write ${first}/${prefix}, or ${network} for one address`;
  if (isMapped(network) && prefix !== bits) return 'write the range as IPv4, such as 10.0.0.0/8';
  return { kind: 'network', network, prefix };
}

/** As WHATWG URL spells it, so that it compares with the host of an origin; null if it is not a name. */
function parseName(text: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null;
  // It makes an address of 127.1 and of full-width digits.
  const name = domainToASCII(text.replace(/\.$/, ''));
  return name !== '' && name.length <= 253 && NAME.test(name) && isIP(name) === 0 ? name : null;
}

function textOf(host: Host, scheme: Scheme, port: number | null): string {
  const prefix = scheme === 'http' ? 'http://' : '';
  return `${prefix}${hostText(host)}${port === null ? '' : `:${port}`}`;
}

function hostText(host: Host): string {
  if (host.kind === 'name') return host.name;
  if (host.kind === 'suffix') return `*.${host.suffix}`;
  const range = isOneAddress(host) ? host.network : `${host.network}/${host.prefix}`;
  return isIP(host.network) === 6 ? `[${range}]` : range;
}
