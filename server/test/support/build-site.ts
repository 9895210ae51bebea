// Builds the documentation site of this clone, for servers that are started afterwards: on a busy machine no request waits long enough.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './markdown.ts';

/** The arguments are those of site/build.ts. */
export function buildSite(...options: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'site/build.ts'), ...options]);
  if (status !== 0) throw new Error(String(stderr));
}
