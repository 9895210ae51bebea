// Where in the database something is written: every row of every table, as the catalog lists them, so that a new table is covered.

import type { App } from '../../../src/app.ts';

/** The rows that hold one of the words, as text, by table; a partition counts as its table. */
export async function findInDatabase({ pool }: App, words: readonly string[]): Promise<Map<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string; parent: string }>(`
    select c.oid::regclass::text as name, coalesce(i.inhparent, c.oid)::regclass::text as parent
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`);
  // Bytes are shown as hexadecimal digits.
  const forms = words.flatMap((word) => [word, Buffer.from(word).toString('hex')]);
  const found = new Map<string, string[]>();
  for (const { name, parent } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} as t`);
    const hits = rows.map(({ text }) => text).filter((text) => forms.some((form) => text.includes(form)));
    if (hits.length > 0) found.set(parent, [...(found.get(parent) ?? []), ...hits]);
  }
  return found;
}
