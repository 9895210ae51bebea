// How a URL of PostgreSQL names several hosts.

const SEVERAL = /^(\w+:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)([/?#].*)?$/s;

/** One URL for each host. */
export function splitHosts(url: string): string[] {
  const [, before = '', hosts, after = ''] = SEVERAL.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}
