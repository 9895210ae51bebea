// A JSON Schema → the code of a JavaScript function. Takes up to hundreds of milliseconds: runs in the worker only.

import { _, Ajv2020 } from 'ajv/dist/2020.js';
import core from 'ajv/dist/core.js';
import standalone from 'ajv/dist/standalone/index.js';
import draft2020 from 'ajv/dist/vocabularies/draft2020.js';
import formatsModule from 'ajv-formats/dist/formats.js';
import { meter, replacedKeywords } from './ajv-keywords.ts';
import { formats } from './formats.ts';
import { isObject, type SchemaObject, type SchemaPath, subschemasOf } from './keywords.ts';
import { compilePattern, regExp } from './patterns.ts';
import { prepareSchema } from './prepare.ts';
import { describeErrors, type Problem } from './problem.ts';

/** What all patterns of one schema may add up to, in RE2 instructions; some 20 ms to compile. */
const max_pattern_instructions = 10_000;

export type Compiled = { code: string; pattern_instructions: number } | { problem: Problem };

export function generateCode(schema: SchemaObject): Compiled {
  const used = { instructions: 0 };
  const problem = checkPatterns(schema, [], used) ?? checkMeta(schema);
  if (problem) return { problem };
  try {
    const ajv = compiler();
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
      return { field: at.join('.'), message: 'makes the patterns of this schema too large together' };
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

/** Not an Ajv2020: that one tracks what was evaluated, and the code for it throws for some schemas. Ours needs none of it. */
function compiler() {
  const ajv = new core.default({
    ...common,
    meta: false,
    validateSchema: false,
    messages: false,
    // A referenced schema becomes one function, so that the text grows with the schema and not with the ways through it.
    inlineRefs: false,
    formats,
    code: { source: true, regExp, formats: _`runtime.formats`, optimize: true },
  });
  for (const vocabulary of draft2020.default) ajv.addVocabulary(vocabulary);
  // Rules run in the order of their groups: the meter's is put before all others.
  ajv.RULES.rules.unshift({ rules: [] });
  ajv.addKeyword(meter);
  for (const definition of replacedKeywords) ajv.removeKeyword(definition.keyword as string).addKeyword(definition);
  return ajv;
}
