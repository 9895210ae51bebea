// The text of a compiled schema, made into a function on the thread that uses it. Parsing is lazy: cheap for any schema.

import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { ErrorObject } from 'ajv';
import { describeErrors, type Problem } from './problem.ts';
import { runtime, startWork, workSpent } from './runtime.ts';

/** Null when the value is valid. Never changes the value, never takes longer than some 50 ms. */
export type Validator = (value: unknown) => Problem[] | null;

/** The answer when a check was stopped. */
export const tooLarge: Problem[] = [
  { field: '', message: 'is too large or too deep to be checked against the schema' },
];

type Check = { (value: unknown): boolean; errors?: ErrorObject[] | null };

const require = createRequire(import.meta.url);

export function instantiate(source: string): Validator {
  const module = { exports: {} as Check };
  compileFunction(source, ['module', 'require', 'runtime'])(module, require, runtime);
  const check = module.exports;
  return (value) => {
    startWork();
    try {
      return check(value) ? null : describeErrors(check.errors ?? []);
    } catch (error) {
      // A schema that refers to itself without going deeper into the value overflows the stack.
      if (error === workSpent || error instanceof RangeError) return tooLarge;
      throw error;
    }
  };
}
