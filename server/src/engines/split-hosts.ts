// How a URL names several hosts: scheme://user:password@a:1,b:2/name.

const SEVERAL = /^([\w-]+:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)([/?#].*)?$/s;

/** One URL for each host. */
export function splitHosts(url: string): string[] {
  const [, before = '', hosts, after = ''] = SEVERAL.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}
