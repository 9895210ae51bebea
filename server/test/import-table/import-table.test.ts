// The table of well-known APIs in the guide about imports: what it says of the documents that are installed here is what an import
// makes of them, and no row says that something is skipped for its body or its authentication.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documents } from './documents.ts';
import { importDocument, reasons, rowOf, wordsFor } from './import-document.ts';
import { guideFile, rowFor, tableIn } from './table.ts';

const rows = tableIn(readFileSync(guideFile, 'utf8'));

for (const { name, package: from, file } of documents.filter(({ is_installed }) => is_installed))
  test(`no operation of ${name} is skipped for its body or its authentication, and the guide says so`, async () => {
    const manifest = fileURLToPath(import.meta.resolve(`${from}/package.json`));
    const imported = await importDocument(readFileSync(join(dirname(manifest), file), 'utf8'));
    assert.deepEqual(
      imported.skipped.filter(({ reason }) => wordsFor(reason) === null),
      [],
    );
    assert.equal(rowFor(rows, name), rowOf(name, imported));
  });

test('every row has the package and version it was made from, and only reasons that are neither body nor authentication', () => {
  assert.equal(rows.length, documents.length);
  const known = new Set(reasons.map(([, words]) => words));
  for (const { name, package: from, version } of documents) {
    const cells = rowFor(rows, name).split(' | ');
    assert.equal(cells[1], `\`${from}\` ${version}`, name);
    const why = (cells.at(-1) ?? '').replace(/ \|$/, '');
    for (const part of why === '0' ? [] : why.split('; '))
      assert.ok(known.has(part.replace(/^\d+: /, '')), `${name}: ${part}`);
  }
});
