// A column that is a list of texts, without some of them, in its order.

import { type RawBuilder, sql } from 'kysely';

export const arrayWithout = (column: string, removed: readonly string[]): RawBuilder<string[]> => sql<string[]>`array (
  select each from unnest(${sql.ref(column)}) with ordinality as chosen (each, place)
  where each <> all (${removed}::text[]) order by place
)`;
