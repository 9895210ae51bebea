// Names of the API document as types.

import type { components, operations } from '../types.ts';

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The query parameters of an operation. */
export type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
