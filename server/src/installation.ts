// Where this installation is, and its version. It is a clone of the repository, or the package that `npm run build` makes of it:
// there the code is in a few files of dist/, and all other files have the same paths from the root.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = findRoot(import.meta.dirname);

const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const { version } = manifest;

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'server/migrations'))) return folder;
  if (folder === dirname(folder)) throw new Error('this installation is incomplete: server/migrations is missing');
  return findRoot(dirname(folder));
}
