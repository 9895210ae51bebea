// docs/contents.json, the table of contents of the documentation site.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

type Contents = { sections: { title: string; pages: { title: string; file?: string }[] }[] };

const { sections }: Contents = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8'));
const files = sections.flatMap(({ pages }) => pages.flatMap(({ file }) => file ?? []));

test('every Markdown file of docs/ is a page of the site', () => {
  const missing = globSync('docs/**/*.md', { cwd: root }).filter((file) => !files.includes(file));
  assert.deepEqual(missing, [], 'add a row for each of these files to a section of docs/contents.json');
});

test('the site has every page once, and each has a file', () => {
  const gone = files.filter((file) => !existsSync(join(root, file)));
  assert.deepEqual(gone, [], 'remove the rows of these files from docs/contents.json');
  assert.equal(new Set(files).size, files.length, 'a file has two rows in docs/contents.json');
});
