// Prepared statements: PostgreSQL parses and plans them once for each connection.

import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { beginsTransaction, endsTransaction, type PooledStatements } from './pooled-statements.ts';

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

/** Kysely passes the text and the parameters only. `pooled`: for a pooler in transaction mode. */
export function preparingPool(pool: pg.Pool, pooled?: PooledStatements): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      const query = pooled ? pooledQuery(client, pooled) : preparedQuery(client);
      return { query, release: () => client.release() } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

const preparedQuery =
  (client: pg.PoolClient) =>
  (text: string, values: unknown[] = []) => {
    const [, name] = NAMED.exec(text) ?? [];
    return name === undefined ? client.query(text, values) : client.query({ name, text, values });
  };

function pooledQuery(client: pg.PoolClient, pooled: PooledStatements) {
  let is_in_transaction = false;
  return async (text: string, values: unknown[] = []) => {
    if (beginsTransaction(text)) is_in_transaction = true;
    if (!is_in_transaction) return pooled.single(client, { text, values, name: NAMED.exec(text)?.[1] });
    if (endsTransaction(text)) is_in_transaction = false;
    return pooled.inTransaction(client, text, values);
  };
}
