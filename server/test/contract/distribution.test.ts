// Whether every table could be distributed by project_id (Citus): the column has to be in the primary key and in every unique
// constraint. docs/scaling.md lists what a user of Citus has to change; the lists of that page must be complete and true.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestDatabase } from '../test-database.ts';

const { pool, close } = await openTestDatabase();
after(close);
const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');

type UniqueKey = { table: string; columns: string; has_column: boolean };

/** Every primary key and unique index of every table; partitions have those of their parent. */
const { rows: keys } = await pool.query<UniqueKey>(`
  select t.relname as table,
    (select string_agg(pg_get_indexdef(x.indexrelid, n, true), ', ' order by n)
      from generate_series(1, x.indnkeyatts) as n) as columns,
    exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'project_id' and not a.attisdropped) as has_column
  from pg_index x join pg_class t on t.oid = x.indrelid
  where x.indisunique and not t.relispartition and t.relnamespace = 'public'::regnamespace
  order by 1, 2`);

const hasProject = ({ columns }: UniqueKey) => /(^|, )project_id(,|$)/.test(columns);
const namesOf = (found: UniqueKey[]) => [...new Set(found.map(({ table }) => table))];

/** The first column of the table below a heading: the names in it. */
function listed(heading: string): string[] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [body = ''] = section.split(/\n#+ /);
  return [...body.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string).sort();
}

test('docs/scaling.md lists exactly the tables with project_id whose keys lack it', () => {
  const lacking = keys.filter((key) => key.has_column && !hasProject(key));
  assert.deepEqual(listed('Tables whose keys lack `project_id`'), namesOf(lacking).sort());
});

test('docs/scaling.md lists each of their keys', () => {
  const [, section = ''] = page.split('### Tables whose keys lack `project_id`\n');
  const missing = keys
    .filter((key) => key.has_column && !hasProject(key))
    .filter(({ table, columns }) => {
      const line = section.split('\n').find((text) => text.startsWith(`| \`${table}\` |`));
      return !line?.includes(`(${columns})`);
    });
  assert.deepEqual(missing, []);
});

test('docs/scaling.md lists exactly the tables without project_id, which are not distributed by it', () => {
  assert.deepEqual(listed('Tables without `project_id`'), namesOf(keys.filter(({ has_column }) => !has_column)).sort());
});

test('every other table has project_id in each of its keys', () => {
  const named = new Set([...listed('Tables whose keys lack `project_id`'), ...listed('Tables without `project_id`')]);
  const others = keys.filter(({ table }) => !named.has(table));
  assert.ok(others.length > 5, 'hardly any table is left: the query is broken');
  assert.deepEqual(
    others.filter((key) => !hasProject(key)),
    [],
  );
});
