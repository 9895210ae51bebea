// Writes the table of well-known APIs in the guide about imports. Give it a folder in which the packages of documents.ts were unpacked
// after `npm pack`, each in a folder of its name, and, if not all rows are to be made anew, their names: npm run docs:imports -- FOLDER Stripe

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './documents.ts';
import { importDocument, rowOf } from './import-document.ts';
import { guideFile, rowFor, tableIn, withTable } from './table.ts';

const [folder = '', ...names] = process.argv.slice(2);
const before = tableIn(readFileSync(guideFile, 'utf8'));
const rows: string[] = [];
for (const { name, package: from, file } of documents) {
  const isMade = names.length === 0 || names.includes(name);
  rows.push(
    isMade ? rowOf(name, await importDocument(readFileSync(join(folder, from, file), 'utf8'))) : rowFor(before, name),
  );
  if (isMade) console.log(rows.at(-1));
}
writeFileSync(
  guideFile,
  withTable(
    readFileSync(guideFile, 'utf8'),
    rows.filter((row) => row !== ''),
  ),
);
