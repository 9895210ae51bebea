// A prepared statement whose parameters have names. The text is made once; PostgreSQL parses it once for each connection.

import type pg from 'pg';

/** The placeholder of each parameter: `${param.project_id}` in the text becomes `$1`. */
export type Placeholders<P> = { readonly [Name in keyof P & string]: string };

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
