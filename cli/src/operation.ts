// The operations of the API that commands are made of. Their types come from the contract, and their data from a file that is
// generated from it: to load the contract with zod would double the time that a command takes to start.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { routes } from '@toolgate/contract/resources.ts';
import type { ParamsOf, RequestOf, ResponseOf } from '@toolgate/contract/route.ts';
import { root } from '../../server/src/installation.ts';

/** The sample shop is a part of the server, not of the contract. It takes nothing but the project, like this other route. */
type Routes = typeof routes & { loadSampleTools: (typeof routes)['getPayloadUsage'] };

export type OperationId = keyof Routes;

/** A field of a body or a query. */
export type Field = {
  kind: 'text' | 'time' | 'number' | 'boolean' | 'list';
  description: string;
  /** For a list: those of its entries. */
  choices?: string[];
  /** What may be given in place of a list, such as `all`. */
  word?: string;
  /** For a time, and where there are choices. */
  example?: string;
  default?: string;
  is_required?: true;
};

export type Operation = {
  summary: string;
  /** The method of the SDK, such as `webhooks.deliveries.list`. */
  method?: string;
  /** The parameters of its path, without the project. */
  ids: { name: string; kind: Field['kind'] }[];
  fields: Record<string, Field>;
};

export type Ids<Id extends OperationId> = Omit<ParamsOf<Routes[Id]>, 'project_id'>;

/** The entries of the list that an operation returns. */
export type Row<Id extends OperationId> = ResponseOf<Routes[Id]> extends { data: (infer Entry)[] } ? Entry : never;

/** What the command line sends has no undefined in it. */
export type Request<Id extends OperationId> = WithoutUndefined<RequestOf<Routes[Id]>>;

type WithoutUndefined<T> = unknown extends T
  ? T
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { [K in keyof T]: WithoutUndefined<Exclude<T[K], undefined>> }
      : T;

export const operations: Record<OperationId, Operation> = JSON.parse(
  readFileSync(join(root, 'cli/src/operations.json'), 'utf8'),
);
