// A JSON Schema → the code of a JavaScript function. Takes up to hundreds of milliseconds: runs in the worker only.

import { _, Ajv2020, type CodeKeywordDefinition } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formatsModule from 'ajv-formats/dist/formats.js';
import { addFirstKeyword, createAjv } from './ajv-internals.ts';
import { counting, meter, replacedKeywords } from './ajv-keywords.ts';
import { formats } from './formats.ts';
import { isObject, type SchemaObject, type SchemaPath, subschemasOf } from './keywords.ts';
import { compilePattern, regExp } from './patterns.ts';
import { prepareSchema } from './prepare.ts';
import { describeErrors, type Problem } from './problem.ts';

/** What all patterns of one schema may add up to, in RE2 instructions; some 20 ms to compile. */
const max_pattern_instructions = 10_000;

export type Compiled = { code: string; pattern_instructions: number } | { problem: Problem };

/** Whether the function stops at the first error of a value, or finds them all. */
export type Finds = 'first' | 'all';

export function generateCode(schema: SchemaObject, finds: Finds = 'first'): Compiled {
  const used = { instructions: 0 };
  const problem = checkPatterns(schema, [], used) ?? checkMeta(schema);
  if (problem) return { problem };
  try {
    const ajv = compiler(finds);
    const code = standalone.default(ajv, ajv.compile(prepareSchema(schema)));
    return { code, pattern_instructions: used.instructions };
  } catch (error) {
    return { problem: { field: '', message: (error as Error).message } };
  }
}

function checkPatterns(schema: SchemaObject, path: SchemaPath, used: { instructions: number }): Problem | null {
  const { pattern, patternProperties } = schema;
  const sources: [SchemaPath, string][] = typeof pattern === 'string' ? [[[...path, 'pattern'], pattern]] : [];
  if (isObject(patternProperties))
    for (const name of Object.keys(patternProperties)) sources.push([[...path, 'patternProperties', name], name]);
  for (const [at, source] of sources) {
    try {
      used.instructions += compilePattern(source).programSize();
    } catch {
      return {
        field: at.join('.'),
        message: `is not a pattern in RE2 syntax (no look-around, back-references or repeats over 1,000): ${source}`,
      };
    }
    if (used.instructions > max_pattern_instructions)
      return { field: at.join('.'), message: "makes this schema's patterns too large in total" };
  }
  for (const [step, child] of subschemasOf(schema)) {
    const problem = isObject(child) ? checkPatterns(child, [...path, ...step], used) : null;
    if (problem) return problem;
  }
  return null;
}

const common = {
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  logger: false,
} as const;

let meta: Ajv2020 | undefined;

function checkMeta(schema: SchemaObject): Problem | null {
  meta ??= new Ajv2020({ ...common, formats: { ...formatsModule.fullFormats, regex: true } });
  const { $schema: _draft, ...rest } = schema;
  if (meta.validateSchema(rest)) return null;
  const [problem] = describeErrors((meta.errors ?? []).slice(0, 1));
  return problem ?? null;
}

function compiler(finds: Finds) {
  const ajv = createAjv({
    ...common,
    allErrors: finds === 'all',
    meta: false,
    validateSchema: false,
    messages: false,
    // A referenced schema becomes one function, so that the text grows with the schema and not with the ways through it.
    inlineRefs: false,
    formats,
    code: { source: true, regExp, formats: _`runtime.formats`, optimize: true },
  });
  addFirstKeyword(ajv, meter);
  const replaced = [...replacedKeywords];
  if (finds === 'all')
    for (const name of ['anyOf', 'oneOf']) replaced.push(counting(ajv.getKeyword(name) as CodeKeywordDefinition));
  for (const definition of replaced) ajv.removeKeyword(definition.keyword as string).addKeyword(definition);
  return ajv;
}
