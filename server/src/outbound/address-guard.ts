// Decides which addresses the server may call. Pure functions: no network, no clock.
// A name is checked twice: its spelling when it is saved, and its addresses each time we connect (connect.ts).

import { isIP, isIPv4 } from 'node:net';
import { type OriginTextProblem, originTextProblem } from '@toolgate/contract/origin.ts';
import { addressPort, canonicalAddress, isPublicAddress, mayBeNamed } from './address-ranges.ts';
import {
  type AllowList,
  allowsAddress,
  allowsExactly,
  allowsName,
  allowsSomeAddress,
  NAME,
  type Scheme,
  type Target,
} from './allow-list.ts';
import { isUsualPort } from './port-rules.ts';

/** Normalised `address:port` pairs, IPv6 in brackets. */
export type AddressPorts = ReadonlySet<string>;

export type OriginProblem = OriginTextProblem | 'bad_host' | 'bad_port' | 'not_public';

/** The host name is a name or an address, IPv6 without brackets. */
export type CheckedOrigin = Target & {
  /** As the Host header spells it: lower case, no default port, no slash. */
  origin: string;
};

const defaultPorts: Record<Scheme, number> = { https: 443, http: 80 };

/** Names that only mean something on the operator's own network. */
const LOCAL_NAMES = ['localhost', 'local', 'localdomain', 'internal', 'home.arpa', 'onion'];

/**
 * Checked at connect time, for each address that the host of the target has. The operator's list goes first; `deny` holds our own
 * listen addresses, which only an entry with that very address and port allows.
 */
export function mayConnect(target: Target, address: string, allow: AllowList, deny: AddressPorts): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const { scheme, hostname, port } = target;
  const canonical = canonicalAddress(address);
  // Plain HTTP is allowed to exactly the host that is named: a name that is not on the list gains nothing from its address.
  if (scheme === 'http' && isIP(hostname) === 0 && !allowsName(allow, target)) return false;
  if ((scheme === 'https' || isIP(hostname) !== 0) && allowsExactly(allow, scheme, canonical, port)) return true;
  if (isOwn(canonical, port, deny)) return false;
  if (scheme === 'https' && allowsAddress(allow, scheme, canonical, port)) return true;
  if (allowsName(allow, target)) return mayBeNamed(canonical);
  return scheme === 'https' && isUsualPort(port) && isPublicAddress(canonical);
}

/** All of 127.0.0.0/8 reaches a server that listens on every address, or on 127.0.0.1. */
function isOwn(address: string, port: number, deny: AddressPorts): boolean {
  const isLoopback = isIPv4(address) && address.startsWith('127.');
  return deny.has(addressPort(address, port)) || (isLoopback && deny.has(addressPort('127.0.0.1', port)));
}

/**
 * Reads `https://host[:port]`, one trailing slash allowed, or `http://host:port` if the operator's list has exactly that. The text
 * must equal what WHATWG URL makes of it, which excludes 2130706433, 0x7f.1, full-width digits, percent signs, tabs or backslashes.
 */
export function checkOrigin(text: string, allow: AllowList): CheckedOrigin | { problem: OriginProblem } {
  const problemOfText = originTextProblem(text);
  if (problemOfText === 'not_url' || problemOfText === 'not_https') return { problem: problemOfText };
  const scheme = /^http:/i.test(text) ? 'http' : 'https';
  const url = URL.parse(text);
  const target = url === null ? null : targetOf(url, scheme);
  if (scheme === 'http' && !(target && allowsPlain(allow, target))) return { problem: 'not_https' };
  if (problemOfText !== null) return { problem: problemOfText };
  if (url === null || target === null) return { problem: 'not_url' };
  const given = text.toLowerCase().replace(/\/$/, '');
  const isDefaultPort = url.port === '';
  if (given !== url.origin && !(isDefaultPort && given === `${url.origin}:${target.port}`))
    return { problem: 'bad_host' };
  const problem = scheme === 'http' ? undefined : hostProblem(target, allow);
  return problem ? { problem } : { origin: url.origin, ...target };
}

function targetOf(url: URL, scheme: Scheme): Target {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return { scheme, hostname, port: url.port === '' ? defaultPorts[scheme] : Number(url.port) };
}

function allowsPlain(allow: AllowList, target: Target): boolean {
  const { hostname, port } = target;
  return isIP(hostname) === 0
    ? allowsName(allow, target)
    : allowsExactly(allow, 'http', canonicalAddress(hostname), port);
}

function hostProblem(target: Target, allow: AllowList): OriginProblem | undefined {
  return isIP(target.hostname) ? literalProblem(target, allow) : nameProblem(target, allow);
}

function literalProblem({ hostname, port }: Target, allow: AllowList): OriginProblem | undefined {
  if (allowsAddress(allow, 'https', canonicalAddress(hostname), port)) return undefined;
  if (!isPublicAddress(hostname)) return 'not_public';
  if (!isIPv4(hostname)) return 'bad_host';
  return isUsualPort(port) ? undefined : 'bad_port';
}

const isLocalName = (name: string) =>
  !name.includes('.') || LOCAL_NAMES.some((local) => name === local || name.endsWith(`.${local}`));

/** Whether the host of a URL may be one that everybody reaches, whatever the operator allows. The addresses of a name are not looked up. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? isPublicAddress(host) : host.length <= 253 && NAME.test(host) && !isLocalName(host);
}

function nameProblem(target: Target, allow: AllowList): OriginProblem | undefined {
  const { hostname: name, port } = target;
  if (name.length > 253 || !NAME.test(name)) return 'bad_host';
  // The addresses are checked at connect time; with a port that no entry allows they could never pass.
  if (allowsName(allow, target) || allowsSomeAddress(allow, port)) return undefined;
  if (isLocalName(name)) return 'not_public';
  return isUsualPort(port) ? undefined : 'bad_port';
}
