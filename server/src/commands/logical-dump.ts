// A dump without PostgreSQL's programs, which the embedded PostgreSQL does not bring. The migrations make the schema; the dump has
// the rows, each as PostgreSQL writes a composite value, so that every type is restored exactly.

import type { Readable } from 'node:stream';
import pg from 'pg';
import type { BackupHeader } from './backup-file.ts';
import type { OnProgress } from './progress.ts';

const FETCH_ROWS = 100;
const INSERT_ROWS = 1_000;
const INSERT_CHARACTERS = 1_000_000;
const PROGRESS_EVERY_ROWS = 10_000;

const name = (text: string) => pg.escapeIdentifier(text);
type Contents = Pick<BackupHeader, 'tables' | 'day_partitions'>;

/** Tables of the current schema; a partition's rows come with its parent. `migrations` is written by migrating. */
const TABLES = `
  select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'migrations'
  order by c.relname`;

const DAY_PARTITIONS = `
  select p.relname as parent, to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relnamespace = current_schema()::regnamespace and p.relkind = 'p' and c.relkind in ('r', 'p')
    and c.relname = p.relname || '_' || right(c.relname, 8) and right(c.relname, 8) ~ '^[0-9]{8}$'
  order by c.relname`;

/** Begins a transaction that sees one moment, so that a server may go on writing. The caller ends it. */
export async function beginDump(client: pg.ClientBase): Promise<Contents> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(
    `set local bytea_output = 'hex'; set local extra_float_digits = 3; set local intervalstyle = 'iso_8601'`,
  );
  const tables: Contents['tables'] = [];
  for (const table of (await client.query<{ name: string }>(TABLES)).rows) {
    const { rows } = await client.query(`select count(*) as rows from ${name(table.name)}`);
    tables.push({ name: table.name, rows: rows[0].rows });
  }
  const { rows: day_partitions } = await client.query(DAY_PARTITIONS);
  return { tables, day_partitions };
}

/** One JSON line for each row: the table and the row. */
export async function* dumpRows(client: pg.ClientBase, { tables }: Contents, onProgress: OnProgress) {
  const total = sumOfRows(tables);
  let done = 0;
  for (const table of tables) {
    const as_text = `select dumped_row::text as text from ${name(table.name)} as dumped_row`;
    await client.query(`declare dump no scroll cursor for ${as_text}`);
    for (;;) {
      const { rows } = await client.query<{ text: string }>(`fetch ${FETCH_ROWS} from dump`);
      if (rows.length === 0) break;
      yield rows.map(({ text }) => `${JSON.stringify([table.name, text])}\n`).join('');
      done += rows.length;
      if (done % PROGRESS_EVERY_ROWS < FETCH_ROWS) onProgress({ step: 'rows', done, total });
    }
    await client.query('close dump');
  }
  onProgress({ step: 'rows', done, total });
}

/** Loads the rows into the migrated schema, in one transaction. Throws if rows are missing. */
export async function loadRows(
  client: pg.ClientBase,
  contents: Contents,
  body: Readable,
  onProgress: OnProgress,
): Promise<void> {
  await client.query('begin');
  try {
    const restoreRules = await suspendRules(client);
    // Some migrations insert rows: the dump has them, as they were.
    for (const table of contents.tables) await client.query(`delete from ${name(table.name)}`);
    for (const { parent, day } of contents.day_partitions)
      await client.query('select create_day_partition($1::regclass, $2::date)', [name(parent), day]);
    const loaded = await insertAll(client, contents, body, onProgress);
    for (const { name, rows } of contents.tables)
      if ((loaded.get(name) ?? 0) !== rows) throw new Error(`the backup is not complete: rows of ${name} are missing`);
    await restoreRules();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the first error is the one to report
    throw error;
  }
}

async function insertAll(client: pg.ClientBase, { tables }: Contents, body: Readable, onProgress: OnProgress) {
  const loaded = new Map(tables.map((table) => [table.name, 0]));
  const columns = await findColumns(client);
  const total = sumOfRows(tables);
  let batch: { table: string; rows: string[]; characters: number } = { table: '', rows: [], characters: 0 };
  let done = 0;
  const flush = async () => {
    if (batch.rows.length === 0) return;
    const table = name(batch.table);
    const list = columns.get(batch.table);
    await client.query(`insert into ${table} (${list}) select ${list} from unnest($1::${table}[])`, [batch.rows]);
    loaded.set(batch.table, (loaded.get(batch.table) ?? 0) + batch.rows.length);
    done += batch.rows.length;
    onProgress({ step: 'rows', done, total });
  };
  for await (const line of linesOf(body)) {
    const [table, row] = JSON.parse(line) as [string, string];
    if (!loaded.has(table)) throw new Error(`the backup contains an unknown table: ${table}`);
    if (table !== batch.table || batch.rows.length >= INSERT_ROWS || batch.characters > INSERT_CHARACTERS) {
      await flush();
      batch = { table, rows: [], characters: 0 };
    }
    batch.rows.push(row);
    batch.characters += row.length;
  }
  await flush();
  return loaded;
}

/** The columns to insert of each table, as SQL. PostgreSQL computes generated ones itself, and refuses a value. */
async function findColumns(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; list: string }>(`
    select c.relname as table, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as list
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
      and not a.attisdropped and a.attgenerated = ''
    group by c.relname`);
  return new Map(rows.map(({ table, list }) => [table, list]));
}

/** Not node:readline, which also splits at U+2028 and U+2029: JSON has them in strings. */
async function* linesOf(body: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const part of body.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('the backup is not complete');
}

/**
 * Removes the foreign keys and disables the triggers, which refuse rows in the order of the dump. The returned function undoes
 * it, and PostgreSQL then verifies every reference. Unlike session_replication_role, this needs no superuser.
 */
async function suspendRules(client: pg.ClientBase): Promise<() => Promise<void>> {
  const { rows: foreign_keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0`);
  const { rows: triggers } = await client.query<{ table: string; name: string }>(`
    select t.tgrelid::regclass::text as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgenabled = 'O' and t.tgparentid = 0`);
  for (const key of foreign_keys) await client.query(`alter table ${key.table} drop constraint ${name(key.name)}`);
  for (const trigger of triggers)
    await client.query(`alter table ${trigger.table} disable trigger ${name(trigger.name)}`);
  return async () => {
    for (const key of foreign_keys)
      await client.query(`alter table ${key.table} add constraint ${name(key.name)} ${key.definition}`);
    for (const trigger of triggers)
      await client.query(`alter table ${trigger.table} enable trigger ${name(trigger.name)}`);
  };
}

const sumOfRows = (tables: Contents['tables']) => tables.reduce((sum, { rows }) => sum + rows, 0);
