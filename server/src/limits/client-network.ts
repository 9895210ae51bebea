// The unit in which anonymous clients are counted: an IPv4 address, or the /64 of an IPv6 address.

/** One IPv6 customer has a whole /64, the first four groups. */
export function clientNetwork(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0')];
  return full.slice(0, 4).join(':');
}
