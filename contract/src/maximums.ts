// How many of a resource a project may have, by its table, and the reasons of the refusals (ids.ts).

import type { ReasonRow } from './error-row.ts';
import { idKinds } from './ids.ts';

type Kind = (typeof idKinds)[keyof typeof idKinds];
type Table = Extract<Kind, { table: string }>['table'];

const limited = Object.values(idKinds).filter((kind) => 'table' in kind);

export const maximums = Object.fromEntries(limited.map(({ table, max }) => [table, max])) as Readonly<
  Record<Table, number>
>;

/** Such as `too_many_hooks`. */
export const maximumReasons = Object.fromEntries(
  limited.map(({ of, table, max }) => {
    const plural = `${of.replace('the ', '')}s`;
    const cause = `The project has reached its maximum number of ${plural}.`;
    const remedy = `Delete ${plural} that you no longer use: a project can have at most ${max.toLocaleString('en-US')}.`;
    return [`too_many_${table}`, { cause, remedy }];
  }),
) as { readonly [Name in Table as `too_many_${Name}`]: ReasonRow };
