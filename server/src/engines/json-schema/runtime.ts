// Everything that the code of a compiled schema may call.

import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import { areUnique, isEqual } from './equality.ts';
import { doesCount, firstUnevaluated, readySources, unevaluatedNames } from './evaluated-parts.ts';
import { formats } from './formats.ts';
import { isMultipleOf } from './multiple-of.ts';
import { regExp } from './patterns.ts';
import { spend, spendSized, work, workLimitReached } from './work-meter.ts';

export const runtime = {
  ...{ work, workLimitReached, spend, spendSized },
  ...{ formats, regExp, areUnique, isMultipleOf },
  ...{ readySources, doesCount, unevaluatedNames, firstUnevaluated },
};

/** The modules of ajv that generated code asks for, by the names it uses. */
const modules: ReadonlyMap<string, unknown> = new Map([
  ['ajv/dist/runtime/equal', { default: isEqual }],
  ['ajv/dist/runtime/ucs2length', { default: ucs2length.default }],
]);

/** Takes the place of `require` in generated code, which comes from what a customer wrote and gets nothing else. */
export function requireRuntimeModule(name: string): unknown {
  const found = modules.get(name);
  if (!found) throw new Error(`A compiled schema may not use the module ${name}`);
  return found;
}
