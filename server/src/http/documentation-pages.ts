// GET /docs/guides, the pages below it, and /docs/changelog: the Markdown files of the repository as pages, so that people read
// those of the version that they run, also without the internet. Links between the files become links between the pages.

import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import type { Server } from '../api/route.ts';
import { root } from '../installation.ts';
import { serveReadingPage } from './reading-page.ts';

/** By file of the repository. All other Markdown files of docs/ have the path /docs/guides/<name>. */
const PATHS: Record<string, string> = {
  'docs/README.md': '/docs/guides',
  'README.md': '/docs/guides/start',
  'CHANGELOG.md': '/docs/changelog',
};
/** Links to these files lead to pages that are not made from them. */
const OTHER_PAGES: Record<string, string> = {
  'docs/reference/errors.md': '/docs/errors',
};

export function documentationPageRoutes(server: Server, has_reference: boolean): void {
  const paths = findPages();
  for (const [file, path] of paths)
    serveReadingPage(server, {
      path,
      has_reference,
      async read() {
        // Not imported at the top: a start does not need it.
        const { renderMarkdown } = await import('../pages/markdown.ts');
        return renderMarkdown(await readFile(join(root, file), 'utf8'), (address) => resolveLink(file, address, paths));
      },
    });
}

/** An installation that was packed without a file does not have its page. */
function findPages(): ReadonlyMap<string, string> {
  const found = globSync('docs/{,guides/,reference/}*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const files = new Set([...Object.keys(PATHS).filter((file) => existsSync(join(root, file))), ...found.sort()]);
  const served = [...files].filter((file) => OTHER_PAGES[file] === undefined);
  return new Map(served.map((file) => [file, PATHS[file] ?? `/docs/guides/${basename(file, '.md')}`]));
}

/** Null for a file that is not served, such as a decision or the compose file. */
function resolveLink(from: string, address: string, paths: ReadonlyMap<string, string>): string | null {
  const [target = '', anchor] = address.split('#');
  const file = posix.join(dirname(from), target);
  const path = paths.get(file) ?? OTHER_PAGES[file];
  if (path === undefined) return null;
  return anchor === undefined ? path : `${path}#${anchor}`;
}
