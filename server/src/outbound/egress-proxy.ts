// The operator's proxy for outgoing connections (TOOLGATE_EGRESS_PROXY), and the hosts that are reached without it. The operator chooses
// it, so the address guard does not apply to the proxy itself.

import { BlockList, isIP } from 'node:net';
import { canonicalAddress } from './address-ranges.ts';
import { NAME } from './allow-list.ts';

export type EgressProxy = {
  scheme: 'http' | 'https';
  hostname: string;
  port: number;
  /** For the Proxy-Authorization header. */
  authorization: string | null;
  /** Names are sent to the proxy, which resolves them and decides about their addresses. */
  resolves_names: boolean;
  direct: DirectHosts;
};

/** What TOOLGATE_EGRESS_NO_PROXY lists. */
export type DirectHosts = {
  hasName(hostname: string): boolean;
  hasAddress(address: string): boolean;
};

export type ProxyUrl = Pick<EgressProxy, 'scheme' | 'hostname' | 'port' | 'authorization'>;

/** Null: it is not the URL of a proxy. */
export function parseProxyUrl(text: string): ProxyUrl | null {
  const url = URL.parse(text);
  const scheme = url?.protocol === 'https:' ? 'https' : 'http';
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return null;
  const credentials = decodeCredentials(url);
  if (credentials === null) return null;
  return {
    scheme,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port),
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/** Null: a percent sign that encodes nothing. */
function decodeCredentials({ username, password }: URL): string | null {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return null;
  }
}

/** Names (`api.internal`), suffixes (`*.internal` or `.internal`), addresses and ranges. `wrong`: the entries that are none of them. */
export function parseDirectHosts(text: string): { direct: DirectHosts; wrong: string[] } {
  const [names, suffixes, networks, wrong] = [new Set<string>(), new Set<string>(), new BlockList(), [] as string[]];
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  for (const entry of entries.filter((entry) => entry !== '')) {
    const suffix = /^\*?\.(.+)$/.exec(entry)?.[1];
    const [address = '', prefix, ...more] = entry.replace(/^\[(.*)\]$/, '$1').split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bits = prefix === undefined ? null : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (isIP(address) !== 0 && more.length === 0 && bits === null) networks.addAddress(address, family);
    else if (isIP(address) !== 0 && more.length === 0 && Number(bits) <= (family === 'ipv6' ? 128 : 32))
      networks.addSubnet(address, Number(bits), family);
    else if (suffix !== undefined && NAME.test(suffix)) suffixes.add(suffix);
    else if (NAME.test(entry) && isIP(entry) === 0) names.add(entry);
    else wrong.push(entry);
  }
  const direct: DirectHosts = {
    hasName: (hostname) => names.has(hostname) || [...suffixes].some((suffix) => hostname.endsWith(`.${suffix}`)),
    hasAddress(address) {
      const canonical = canonicalAddress(address);
      return networks.check(canonical, isIP(canonical) === 6 ? 'ipv6' : 'ipv4');
    },
  };
  return { direct, wrong };
}

/** For logs and messages: without its credentials. */
export const describeProxy = ({ scheme, hostname, port }: ProxyUrl) =>
  `${scheme}://${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
