// Which addresses are on the public internet, and which private ones the name of an allowed host may stand for.

import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where clouds serve credentials to whoever asks: most of them, Azure, Alibaba, AWS, Google. */
export const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

/** Ranges of ipaddr.js in which an operator's own servers are. Link-local is not one of them: the metadata service of most clouds is there. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['private', 'carrierGradeNat', 'loopback', 'uniqueLocal']);

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isMetadataAddress(address) && ipaddr.IPv4.parse(address).range() === 'unicast';
  if (isIP(address) === 0 || address.includes('%')) return false;
  const ip = ipaddr.IPv6.parse(address);
  // ipaddr.js alone calls ::7f00:1, 100:0:0:1::1 and 4000::1 unicast; only 2000::/3 is allocated.
  return ((ip.parts[0] ?? 0) & 0xe000) === 0x2000 && ip.range() === 'unicast';
}

/** Whether a host that the operator allows by name may be at this address. Others must be allowed by address. */
export function mayBeNamed(address: string): boolean {
  if (isPublicAddress(address)) return true;
  if (isIP(address) === 0 || address.includes('%') || isMetadataAddress(address)) return false;
  return OWN_NETWORKS.has(ipaddr.parse(address).range());
}

export function isMetadataAddress(address: string): boolean {
  return METADATA_ADDRESSES.has(canonicalAddress(address));
}

/** An IPv4 address in an IPv6 spelling. It is never treated as that IPv4 address. */
export function isMapped(address: string): boolean {
  return isIP(address) === 6 && ipaddr.IPv6.parse(address).isIPv4MappedAddress();
}

/** 0.0.0.0 and ::, which reach this machine itself. */
export function isUnspecified(address: string): boolean {
  return /^(?:0\.0\.0\.0|::)$/.test(canonicalAddress(address));
}

/** IPv6 compressed, in lower case. The address must be valid. */
export function canonicalAddress(address: string): string {
  return isIPv4(address) ? address : ipaddr.IPv6.parse(address).toString();
}

/** The canonical text of an address and port. */
export function addressPort(address: string, port: number): string {
  return isIPv4(address) ? `${address}:${port}` : `[${canonicalAddress(address)}]:${port}`;
}

/** Whether the address is in the network. Both are canonical, `prefix` is in bits. */
export function isInNetwork(address: string, network: string, prefix: number): boolean {
  if (isIPv4(address) !== isIPv4(network)) return false;
  return isIPv4(address)
    ? ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parse(network), prefix)
    : ipaddr.IPv6.parse(address).match(ipaddr.IPv6.parse(network), prefix);
}

/** The first address of the network that the address is in. */
export function firstOfNetwork(address: string, prefix: number): string {
  const cidr = `${address}/${prefix}`;
  return isIPv4(address)
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(cidr).toString();
}
