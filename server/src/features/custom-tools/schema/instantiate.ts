// The code of a compiled schema, made into a function on the thread that uses it. Parsing is lazy: cheap for any schema.

import { compileFunction } from 'node:vm';
import type { ErrorObject } from 'ajv';
import { describeErrors, type Problem } from './problem.ts';
import { requireRuntimeModule, runtime } from './runtime.ts';
import { startWork, workLimitReached } from './work-meter.ts';

/** Null when the value is valid. Never changes the value, never takes 100 ms of CPU time. */
export type Validator = (value: unknown) => Problem[] | null;
/** `bytes`: about how much memory it takes once it has been used. */
export type CompiledValidator = Validator & { readonly bytes: number };

/** The result when a validation was stopped. */
export const tooLarge: Problem[] = [
  { field: '', message: 'is too large or too deep to be checked against the schema' },
];

type Check = { (value: unknown): boolean; errors?: ErrorObject[] | null };

/** Measured: the code, its bytecode and closures, and the program of each pattern. */
const FIXED_BYTES = 4_000;
const BYTES_PER_CHARACTER = 3;
const BYTES_PER_INSTRUCTION = 300;

export function instantiate(code: string, pattern_instructions = 0): CompiledValidator {
  const module = { exports: {} as Check };
  compileFunction(code, ['module', 'require', 'runtime'])(module, requireRuntimeModule, runtime);
  const check = module.exports;
  const validate = (value: unknown) => {
    startWork();
    try {
      return check(value) ? null : describeErrors(check.errors ?? []);
    } catch (error) {
      // A schema that refers to itself without going deeper into the value overflows the stack.
      if (error === workLimitReached || error instanceof RangeError) return tooLarge;
      throw error;
    }
  };
  const bytes = FIXED_BYTES + code.length * BYTES_PER_CHARACTER + pattern_instructions * BYTES_PER_INSTRUCTION;
  return Object.assign(validate, { bytes });
}
