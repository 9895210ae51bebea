// The page of a file of the repository that a guide links to, such as an example: its text with line breaks as they are. A folder is
// a list of its files.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { root } from './contents.ts';
import { escapeText } from './escape.ts';
import { highlight } from './highlight.ts';
import { sourcePath } from './links.ts';

export type SourcePage = { title: string; path: string; markup: string; files: string[] };

/** `files`: those of a folder, which need pages too. */
export function makeSourcePage(file: string): SourcePage {
  const title = basename(file);
  const heading = `<h1><code>${escapeText(file)}</code></h1>\n`;
  const path = sourcePath(file);
  if (statSync(join(root, file)).isDirectory()) {
    const files = readdirSync(join(root, file), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${file}/${name}`)
      .sort();
    const items = files.map((each) => `<li><a href="${sourcePath(each)}">${escapeText(basename(each))}</a></li>`);
    return { title, path, files, markup: `${heading}<ul>\n${items.join('\n')}\n</ul>\n` };
  }
  const text = readFileSync(join(root, file), 'utf8').trimEnd();
  const code = highlight(text, extname(file).slice(1));
  return {
    title,
    path,
    files: [],
    markup: `${heading}<div class="code"><pre><code>${code}\n</code></pre></div>\n`,
  };
}
