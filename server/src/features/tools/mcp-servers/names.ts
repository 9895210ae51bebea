// The names of tools of MCP servers in the project: `<slug>_<name>`, made to fit.

import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** The same for the same names. What does not fit ends with a hash of the name, so that long names stay different. */
export function toolNameFor(slug: string, upstream_name: string): string {
  const name = `${slug}_${upstream_name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(upstream_name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
