// A rolling deploy runs two versions on one schema: a migration may only do what the previous version can live with, or its first
// line is `-- breaking`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations, toMigration } from '../src/database/migrate.ts';

/** The files before this one make the first schema: no earlier version exists. */
const FIRST = '0013';

const NAME = String.raw`(?:if not exists )?[\w".]+`;
/** What an older server does not notice. Everything else needs the mark. */
const compatible = [
  new RegExp(`^create (?:unlogged )?table ${NAME}`),
  new RegExp(`^create index (?:concurrently )?${NAME} on `),
  new RegExp(`^create function ${NAME}`),
  /^comment on /,
];
const ADD_COLUMN = /^add column (?:if not exists )?"?\w+"? .*$/;

function findIncompatible(text: string): string[] {
  const statements = text
    .replace(/--.*$/gm, '')
    .replace(/\$\$[\s\S]*?\$\$/g, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean);
  const created = new Set(
    statements.flatMap(
      (statement) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? [],
    ),
  );
  const added = new Set(
    statements.flatMap((statement) => {
      const [, table, column] = /^alter table (\w+) add column (\w+) /.exec(statement) ?? [];
      return column === undefined ? [] : [`${table}.${column}`];
    }),
  );
  return statements.filter((statement) => !isCompatible(statement, created) && !fillsColumn(statement, added));
}

/** An older server does not know a column that the file adds. */
function fillsColumn(statement: string, added: ReadonlySet<string>): boolean {
  const [, table, column] = /^update (\w+) set (\w+) = (?:true|false) from /.exec(statement) ?? [];
  return added.has(`${table}.${column}`);
}

function isCompatible(statement: string, created: ReadonlySet<string>): boolean {
  if (compatible.some((pattern) => pattern.test(statement))) return true;
  const [, table, changes] = /^alter table (?:only )?(\w+) (.*)$/.exec(statement) ?? [];
  const [, indexed] = /^create unique index \w+ on (\w+)/.exec(statement) ?? [];
  const [, triggering] = /^create trigger \w+ after \w+ on (\w+)/.exec(statement) ?? [];
  const [, filled] = /^insert into (\w+)/.exec(statement) ?? [];
  // A table of the same file is unknown to older servers.
  if ([table, indexed, triggering, filled].some((name) => name !== undefined && created.has(name))) return true;
  if (changes === undefined) return false;
  return changes.split(/, (?=add |drop |alter |rename )/).every(isCompatibleColumn);
}

/** An older server inserts rows without the column. */
function isCompatibleColumn(change: string): boolean {
  return (
    ADD_COLUMN.test(change) &&
    (!change.includes('not null') || / default | generated /.test(change)) &&
    !/ (?:unique|check|references|primary key)\b/.test(change)
  );
}

for (const { name, text, needs } of (await readMigrations()).filter((migration) => migration.name >= FIRST)) {
  test(`the previous version can live with ${name}, or it is marked as breaking`, () => {
    const found = findIncompatible(text);
    assert.ok(needs > 0 || found.length === 0, `needs "-- breaking" as its first line: ${found.join('; ')}`);
  });
}

for (const text of [
  'create table a (id text primary key); create unique index a_by_id on a (id); insert into a values (1);',
  'create index a_by_b on a (b);',
  'alter table a add column b text;',
  'alter table a add column b text, add column c integer not null default 0;',
  'create function f() returns void language sql as $$ drop table a; $$;',
  'create table a (id text); create trigger t after insert on a execute function f();',
])
  test(`compatible: ${text}`, () => assert.deepEqual(findIncompatible(text), []));

for (const text of [
  'drop table a;',
  'alter table a drop column b;',
  'alter table a rename column b to c;',
  'alter table a alter column b set not null;',
  'alter table a alter column b type bigint;',
  'alter table a add column b text not null;',
  'alter table a add column b text unique;',
  'alter table a add column b text, drop column c;',
  'alter table a add constraint c check (b > 0);',
  'create unique index a_by_b on a (b);',
  'create or replace function f() returns void language sql as $$ select 1 $$;',
  'update a set b = 1;',
  'drop index a_by_b;',
  'create trigger t after insert on a execute function f();',
])
  test(`needs the mark: ${text}`, () => assert.equal(findIncompatible(text).length, 1));

test('the mark is the first line', () => {
  assert.equal(toMigration('0031_x.sql', '-- breaking\nselect 1').needs, 31);
  assert.equal(toMigration('0031_x.sql', '-- breaking before 0029\nselect 1').needs, 29);
  assert.equal(toMigration('0031_x.sql', '-- Not breaking.\n-- breaking\nselect 1').needs, 0);
});
