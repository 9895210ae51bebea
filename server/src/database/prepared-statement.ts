// Prepared statements: PostgreSQL parses and plans them once for each connection.

import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';

/** The placeholder of each parameter: `${param.project_id}` in the text becomes `$1`. */
export type Placeholders<P> = { readonly [Name in keyof P & string]: string };

/** The parameters have names. The text is made once. */
export function preparedStatement<P extends Record<string, unknown>, Row extends pg.QueryResultRow>(
  name: string,
  makeText: (param: Placeholders<P>) => string,
): (pool: pg.Pool, params: P) => Promise<Row[]> {
  const names: string[] = [];
  const placeholder = (param: string): string => {
    if (!names.includes(param)) names.push(param);
    return `$${names.indexOf(param) + 1}`;
  };
  const text = makeText(new Proxy({} as Placeholders<P>, { get: (_, param) => placeholder(String(param)) }));
  return async (pool, params) => {
    const { rows } = await pool.query<Row>({ name, text, values: names.map((each) => params[each]) });
    return rows;
  };
}

const NAMED = /^-- prepared as (\w+)\n/;

/** The beginning of a statement of Kysely that is to be prepared. Its text must be the same whenever it is run. */
export const prepared = (name: string) => sql.raw(`-- prepared as ${name}\n`);

/** Kysely passes the text and the parameters only. */
export function preparingPool(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: unknown[] = []) => {
        const [, name] = NAMED.exec(text) ?? [];
        return name === undefined ? client.query(text, values) : client.query({ name, text, values });
      };
      return { query, release: () => client.release() } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}
