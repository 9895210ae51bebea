// The files of a built dashboard, in memory: about 100 files and 8 MB. Text has compressed copies, made by the build.

import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export type DashboardFile = {
  content_type: string;
  etag: string;
  /** Its name contains a hash of its content, so it never changes. */
  is_immutable: boolean;
  bodies: { identity: Buffer; br: Buffer | null; gzip: Buffer | null };
};

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export function readFiles(folder: string): ReadonlyMap<string, DashboardFile> {
  const files = new Map<string, DashboardFile>();
  for (const name of globSync('**/*', { cwd: folder })) {
    const content_type = types[extname(name)];
    const path = join(folder, name);
    if (content_type === undefined || !statSync(path).isFile()) continue;
    const identity = readFileSync(path);
    const url = `/${name.replaceAll('\\', '/')}`;
    files.set(url, {
      content_type,
      etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
      is_immutable: url.startsWith('/assets/'),
      bodies: { identity, br: readIfThere(`${path}.br`), gzip: readIfThere(`${path}.gz`) },
    });
  }
  if (!files.has('/index.html')) throw new Error(`the dashboard in ${folder} has no index.html`);
  return files;
}

function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
