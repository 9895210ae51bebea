// npm run tables: writes server/src/database/columns.ts from a database that has all migrations.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestDatabase } from '../support/database/test-database.ts';
import { writeColumnTypes } from './column-types.ts';

const { pool, close } = await openTestDatabase();
after(close);

test('columns.ts is written', async () => {
  writeFileSync(join(import.meta.dirname, '../../src/database/columns.ts'), await writeColumnTypes(pool));
});
