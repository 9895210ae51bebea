// The five commands of a resource with the usual operations: list, get, create, update and delete.

import { type AddCommand, command, listCommand } from './command.ts';
import type { OperationId, Request, Row } from './operation.ts';

/** `Limit` of `createLimit`, `listLimits`, `getLimit`, `updateLimit` and `deleteLimit`. */
type Noun = {
  [Id in OperationId]: Id extends `update${infer N}` ? (`list${N}s` extends OperationId ? N : never) : never;
}[OperationId];

type Listed<N extends Noun> = Extract<`list${N}s`, OperationId>;
type Updated<N extends Noun> = Extract<`update${N}`, OperationId>;

/** `flags`: the fields that are options of create and update; the others are given with --set and --data. */
export function crudCommands<N extends Noun>(
  noun: N,
  {
    columns,
    flags,
  }: { columns: readonly (keyof Row<Listed<N>> & string)[]; flags: readonly (keyof Request<Updated<N>>)[] },
): AddCommand[] {
  const id = (name: string) => name as OperationId;
  const written = { flags: flags as readonly never[], isOpen: true };
  return [
    listCommand('list', id(`list${noun}s`), { columns: columns as readonly never[] }),
    command('get', id(`get${noun}`)),
    command('create', id(`create${noun}`), written),
    command('update', id(`update${noun}`), written),
    command('delete', id(`delete${noun}`)),
  ];
}
