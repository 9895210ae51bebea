// The code of a compiled schema, made into a function on the thread that uses it. Parsing is lazy: cheap for any schema.

import { compileFunction } from 'node:vm';
import type { ErrorObject } from 'ajv';
import { describeErrors, type Listed, listErrors, type Problem } from './problem.ts';
import { requireRuntimeModule, runtime } from './runtime.ts';
import { startListing, startWork, workLimitReached } from './work-meter.ts';

/** Null when the value is valid. Never changes the value, never takes 100 ms of CPU time. */
export type Validator = (value: unknown) => Problem[] | null;
/** What is wrong with a value that a validator has refused. Null if finding out takes too much work. */
export type ProblemLister = (value: unknown, max: number) => Listed | null;
/** `bytes`: about how much memory it takes once it has been used. */
export type CompiledValidator = Validator & { readonly bytes: number };
export type CompiledLister = ProblemLister & { readonly bytes: number };

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
  const check = toFunction(code);
  const validate = (value: unknown) => {
    startWork();
    try {
      return check(value) ? null : describeErrors(check.errors ?? []);
    } catch (error) {
      if (isTooMuch(error)) return tooLarge;
      throw error;
    }
  };
  return Object.assign(validate, { bytes: bytesOf(code, pattern_instructions) });
}

/** For code that was generated to find all errors. */
export function instantiateLister(code: string, pattern_instructions = 0): CompiledLister {
  const check = toFunction(code);
  const list = (value: unknown, max: number) => {
    startListing();
    try {
      return check(value) ? { problems: [], more: 0 } : listErrors(check.errors ?? [], max);
    } catch (error) {
      if (isTooMuch(error)) return null;
      throw error;
    }
  };
  return Object.assign(list, { bytes: bytesOf(code, pattern_instructions) });
}

function toFunction(code: string): Check {
  const module = { exports: {} as Check };
  compileFunction(code, ['module', 'require', 'runtime'])(module, requireRuntimeModule, runtime);
  return module.exports;
}

/** A schema that refers to itself without going deeper into the value overflows the stack. */
const isTooMuch = (error: unknown) => error === workLimitReached || error instanceof RangeError;

const bytesOf = (code: string, pattern_instructions: number) =>
  FIXED_BYTES + code.length * BYTES_PER_CHARACTER + pattern_instructions * BYTES_PER_INSTRUCTION;
