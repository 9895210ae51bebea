// The files of a build, in memory. Only the compressed copies of text, made by the build: 3 MB instead of 8 MB. In memory, because an
// upgrade replaces the files of a server that runs.

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type StaticFile, tagOf } from '../api/static-file.ts';

/** Names in these folders contain a hash of the content, and a font does not change: what is there never does. */
const IMMUTABLE = /^\/(docs\/)?(assets|fonts)\//;

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The build that `current` names. By path, such as `/assets/index-abc.js`. */
export async function readFiles(dist: string): Promise<ReadonlyMap<string, StaticFile>> {
  const folder = join(dist, await readFile(join(dist, 'current'), 'utf8'));
  const names = new Set(globSync('**/*.*', { cwd: folder }).map((name) => name.replace(/\.(br|gz)$/, '')));
  const files = await Promise.all([...names].map((name) => readStaticFile(folder, name)));
  return new Map(files.filter((entry) => entry !== null));
}

/** A package has a text only compressed. Null for a file that is not served. */
async function readStaticFile(folder: string, name: string): Promise<[url: string, StaticFile] | null> {
  const content_type = types[extname(name)];
  if (content_type === undefined) return null;
  const path = join(folder, name);
  const [br, gzip] = await Promise.all([readIfThere(`${path}.br`), readIfThere(`${path}.gz`)]);
  const identity = gzip === null ? await readFile(path) : null;
  const url = `/${name.replaceAll('\\', '/')}`;
  const cache_control = IMMUTABLE.test(url) ? 'public, max-age=31536000, immutable' : 'no-cache';
  return [
    url,
    { content_type, cache_control, tag: tagOf(identity ?? (gzip as Buffer)), bodies: { identity, br, gzip } },
  ];
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
