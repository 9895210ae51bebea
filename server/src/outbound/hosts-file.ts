// Resolves names from /etc/hosts. The file is read again when it has changed; the check takes a few microseconds.

import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

type Addresses = { address: string; family: number }[];

/** Returns the addresses of a name; none if the name or the file does not exist. */
export function openHostsFile(path: string): (name: string) => Addresses {
  let names = new Map<string, Addresses>();
  let read_version = '';
  return (name) => {
    const status = statSync(path, { throwIfNoEntry: false });
    const version = status ? `${status.ino} ${status.size} ${status.mtimeMs}` : '';
    if (version !== read_version) {
      names = status ? parseHosts(readFileSync(path, 'utf8')) : new Map();
      read_version = version;
    }
    return names.get(name.toLowerCase()) ?? [];
  };
}

/** hosts(5): an address and its names, `#` begins a comment. */
function parseHosts(text: string): Map<string, Addresses> {
  const names = new Map<string, Addresses>();
  for (const line of text.split('\n')) {
    const [address = '', ...listed] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const each of listed) {
      const name = each.toLowerCase();
      const known = names.get(name);
      if (known) known.push({ address, family });
      else names.set(name, [{ address, family }]);
    }
  }
  return names;
}
