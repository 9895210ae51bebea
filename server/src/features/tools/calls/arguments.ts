// Validates the arguments of a call: no reserved variable, no number that would be changed, and the tool's input_schema.

import { reasonRows } from '@toolgate/contract/errors.ts';
import type { ProblemLister, Validator } from '../../../engines/json-schema/instantiate.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { type Found, findProblems, listProblems } from './argument-problems.ts';

export type Arguments = Record<string, unknown>;

/** The part of a prepared tool that is needed. */
type Checks = {
  validate: Validator;
  /** What the tool sets itself; null: nothing. */
  fixed_arguments: Arguments | null;
  takes_reserved?: boolean;
  findLister(): Promise<ProblemLister>;
  /** Finds what a request cannot be built with, in arguments that may not match the schema. */
  findRequestProblems(given: Arguments): Problem[];
};

const MAX_BYTES = 256 * 1024;
const MEASURED_ABOVE = 64 * 1024;

/** The size of the arguments as JSON. Up to 64 KiB the size of the body around them is used: it costs nothing. */
export function measureArguments(given: unknown, body_bytes: number): number {
  return body_bytes > MEASURED_ABOVE ? Buffer.byteLength(JSON.stringify(given)) : body_bytes;
}

/** `byteLength` is the result of measureArguments(). Returns valid arguments at once; a promise is always rejected. */
export function checkArguments(input: unknown, byteLength: number, tool: Checks): Arguments | Promise<never> {
  const given = input === undefined ? {} : input;
  if (byteLength > MAX_BYTES) return Promise.reject(tooLarge(byteLength));
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return Promise.reject(invalidArguments([{ field: '', message: 'must be an object' }]));
  if (tool.fixed_arguments !== null) return mergeFixed(given, tool.fixed_arguments, tool);
  const found = findProblems(given, tool.validate, undefined, tool.takes_reserved);
  return found ? refuseArguments(given, found, tool) : (given as Arguments);
}

/** The schema is that of all arguments, so they are validated together. */
function mergeFixed(given: object, fixed: Arguments, tool: Checks): Arguments | Promise<never> {
  const merged = { ...given, ...fixed };
  const sent = Object.keys(fixed).filter((name) => Object.hasOwn(given, name));
  const found = findProblems(merged, tool.validate, sent, tool.takes_reserved);
  return found ? refuseArguments(merged, found, tool) : merged;
}

async function refuseArguments(given: object, found: Found, tool: Checks): Promise<never> {
  const problems = await listProblems(given, found, tool.findLister, tool.findRequestProblems(given as Arguments));
  const [reserved] = found.reserved;
  throw reserved === undefined ? invalidArguments(problems) : reservedVariable(reserved, problems);
}

function reservedVariable(field: string, problems: Problem[]): ApiError {
  const remedy = `${reasonRows.reserved_variable.remedy} Also correct the other arguments listed in problems.`;
  return refuse.reservedVariable({ details: { field, problems, ...(problems.length > 1 ? { remedy } : {}) } });
}

function tooLarge(size_bytes: number): ApiError {
  const remedy = `Send arguments of at most ${MAX_BYTES} bytes as JSON.`;
  const sizes = { limit_bytes: MAX_BYTES, size_bytes };
  return refuse.bodyTooLarge({ details: { field: 'arguments', ...sizes, reason: 'arguments_too_large', remedy } });
}

/** Without the values: they may be secrets. */
export function invalidArguments(problems: Problem[]): ApiError {
  return refuse.validation({
    details: { field: problems[0]?.field || 'arguments', reason: 'invalid_arguments', problems },
  });
}
