// What the code believes of the tables is what the migrations made.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestDatabase } from '../support/database/test-database.ts';
import { writeColumnTypes } from '../table-types/column-types.ts';

const { pool, close } = await openTestDatabase();
after(close);

const root = join(import.meta.dirname, '../../..');
const columns = await writeColumnTypes(pool);

test('the code knows every table and column of the database, and no other: npm run tables', () => {
  assert.equal(readFileSync(join(root, 'server/src/database/columns.ts'), 'utf8'), columns);
});

test('docs/storage.md says of every table what is kept in it and how', () => {
  const tables = [...columns.matchAll(/^ {2}(\w+): \{$/gm)].map(([, table]) => table);
  assert.ok(tables.length >= 5, 'hardly any table was found: the pattern is broken');
  const page = readFileSync(join(root, 'docs/storage.md'), 'utf8');
  const described = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, table]) => table);
  assert.deepEqual(described.filter((table) => table !== 'migrations').sort(), tables.sort());
});
