// A JSON Schema as the text of a JavaScript function. Takes up to hundreds of milliseconds: runs in the worker only.

import { _, Ajv2020, type CodeKeywordDefinition } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { isObject, type SchemaObject, type SchemaPath, subschemasOf } from './keywords.ts';
import { type Cost, prepareSchema } from './prepare.ts';
import { describeErrors, type Problem } from './problem.ts';
import { compilePattern, formats, regExp } from './runtime.ts';

/** What all patterns of one schema may add up to, in RE2 instructions; some 20 ms to compile. */
const max_pattern_instructions = 10_000;

export type Compiled = { source: string } | { problem: Problem };

export function schemaSource(schema: SchemaObject): Compiled {
  const problem = checkPatterns(schema) ?? checkMeta(schema);
  if (problem) return { problem };
  try {
    const ajv = compiler();
    return { source: standalone.default(ajv, ajv.compile(prepareSchema(schema))) };
  } catch (error) {
    return { problem: { field: '', message: (error as Error).message } };
  }
}

function checkPatterns(schema: SchemaObject, path: SchemaPath = [], used = { instructions: 0 }): Problem | null {
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
  // 19.99 is a multiple of 0.01, though not of the binary fraction next to it.
  multipleOfPrecision: 9,
} as const;

let meta: Ajv2020 | undefined;

function checkMeta(schema: SchemaObject): Problem | null {
  meta ??= new Ajv2020({ ...common, formats: { ...formats, regex: true } });
  const { $schema: _draft, ...rest } = schema;
  if (meta.validateSchema(rest)) return null;
  const [problem] = describeErrors((meta.errors ?? []).slice(0, 1));
  return problem ?? null;
}

function compiler(): Ajv2020 {
  const ajv = new Ajv2020({
    ...common,
    meta: false,
    validateSchema: false,
    messages: false,
    // A referenced schema becomes one function, so that the text grows with the schema and not with the ways through it.
    inlineRefs: false,
    formats,
    code: { source: true, regExp, formats: _`runtime.formats`, optimize: true },
  });
  // Rules run in the order of their groups: the meter's is put before all others.
  ajv.RULES.rules.unshift({ rules: [] });
  ajv.addKeyword(meter);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(uniqueItems);
  return ajv;
}

const meter: CodeKeywordDefinition = {
  keyword: '$work',
  code({ gen, data, schema }) {
    const { units, sized } = schema as Cost;
    if (sized) return void gen.code(_`runtime.spendSized(${units}, ${data})`);
    gen.if(_`(runtime.work.left -= ${units}) < 0`, () => gen.throw(_`runtime.workSpent`));
  },
};

const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  code(cxt) {
    if (cxt.schema) cxt.pass(_`runtime.areUnique(${cxt.data})`);
  },
};
