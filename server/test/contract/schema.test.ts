// What the code believes of the tables (database/*tables.ts) is what the migrations made.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestDatabase } from '../test-database.ts';

const { pool, close } = await openTestDatabase();
after(close);

type Columns = Record<string, 'null' | 'not null'>;

const believed = readTables();
const real = await realTables();

test('the code knows every table of the database, and no other', () => {
  assert.ok(Object.keys(believed).length >= 5, 'hardly any table was found: the reader is broken');
  assert.deepEqual(Object.keys(believed).sort(), Object.keys(real).sort());
});

for (const [table, columns] of Object.entries(real)) {
  test(`the code knows the columns of ${table} and which of them may be null`, () => {
    assert.deepEqual(believed[table], columns);
  });
}

test('docs/storage.md says of every table what is kept in it and how', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/storage.md'), 'utf8');
  const described = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, table]) => table);
  assert.deepEqual(described.filter((table) => table !== 'migrations').sort(), Object.keys(real).sort());
});

async function realTables(): Promise<Record<string, Columns>> {
  const { rows } = await pool.query<{ table_name: string; column_name: string; is_nullable: 'YES' | 'NO' }>(
    `select table_name, column_name, is_nullable from information_schema.columns
     where table_schema = 'public' and table_name <> 'migrations' and not (
       select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass
     ) order by table_name, column_name`,
  );
  const tables: Record<string, Columns> = {};
  for (const { table_name, column_name, is_nullable } of rows) {
    tables[table_name] ??= {};
    tables[table_name][column_name] = is_nullable === 'YES' ? 'null' : 'not null';
  }
  return tables;
}

/** Reads the interfaces as text: `interface XTables { table: { column: Type; … }; … }`. */
function readTables(): Record<string, Columns> {
  const folder = join(import.meta.dirname, '../../src/database');
  const tables: Record<string, Columns> = {};
  for (const file of globSync('*tables.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    const aliases = readAliases(text);
    for (const { index, 0: opening } of text.matchAll(/interface \w*Tables\b[^{]*\{/g)) {
      for (const [table, type] of members(text.slice(index + opening.length))) {
        const columns = members(type.slice(type.indexOf('{') + 1));
        tables[table] = Object.fromEntries(
          columns.map(([column, of]) => [column, isNullable(of, aliases) ? 'null' : 'not null'] as const).sort(),
        );
      }
    }
  }
  return tables;
}

/** The `name: type;` pairs up to the brace that closes this object type. */
function members(text: string): [name: string, type: string][] {
  const found: [string, string][] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length && depth >= 0; at += 1) {
    const character = text[at] as string;
    if ('{<[('.includes(character)) depth += 1;
    if ('}>])'.includes(character)) depth -= 1;
    if ((depth === 0 && character === ';') || depth < 0) {
      const [, name, type] = /^\s*(\w+)\??:([\s\S]*)$/.exec(text.slice(start, at)) ?? [];
      if (name && type) found.push([name, type]);
      start = at + 1;
    }
  }
  return found;
}

type Aliases = Map<string, { parameter: string | undefined; body: string }>;

function readAliases(text: string): Aliases {
  const found = text.matchAll(/^(?:export )?type (\w+)(?:<(\w+)>)? =\s*([\s\S]*?);$/gm);
  return new Map([...found].map(([, name = '', parameter, body = '']) => [name, { parameter, body }]));
}

/**
 * By what a select gives: of `Generated<T>` and `ColumnType<Selected, Inserted, …>` the first argument, unless that is
 * `unknown`, which says nothing. Aliases are looked up.
 */
function isNullable(type: string, aliases: Aliases): boolean {
  const parts = split(type, '|').map((part) => part.trim());
  if (parts.length > 1) return parts.includes('null');
  const [, name = '', given = ''] = /^(\w+)(?:<([\s\S]*)>)?$/.exec(parts[0] ?? '') ?? [];
  const [first = '', second = ''] = split(given, ',');
  const alias = aliases.get(name);
  if (alias) {
    const body = alias.parameter
      ? alias.body.replaceAll(new RegExp(`\\b${alias.parameter}\\b`, 'g'), first)
      : alias.body;
    return isNullable(body, aliases);
  }
  return first !== '' && isNullable(first === 'unknown' ? second : first, aliases);
}

/** Splits where the separator stands outside of any brackets. */
function split(text: string, separator: ',' | '|'): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('{<[('.includes(character)) depth += 1;
    if ('}>])'.includes(character)) depth -= 1;
    if (depth === 0 && character === separator) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
