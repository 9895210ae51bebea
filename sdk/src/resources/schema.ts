// Names of the API document as types.

import type { components, operations } from '../types.ts';

// biome-ignore lint/suspicious/noExplicitAny: until the document has the schema
export type Schema<Name extends string> = Name extends keyof components['schemas'] ? components['schemas'][Name] : any;

/** The query parameters of an operation. */
export type Query<Name extends string> = Name extends keyof operations
  ? NonNullable<operations[Name]['parameters']['query']>
  : // biome-ignore lint/suspicious/noExplicitAny: until the document has the operation
    any;
