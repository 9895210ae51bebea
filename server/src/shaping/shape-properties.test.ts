// Random documents and rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePath, type ResponsePath } from '@toolgate/contract/custom-tools/response-paths.ts';
import fc from 'fast-check';
import { bytesOf, shape, shapedValue, textOf } from '../../test/support/make/shape-document.ts';
import { generateCode } from '../engines/json-schema/generate-code.ts';
import { instantiate } from '../engines/json-schema/instantiate.ts';
import { projectOutput, type ResponseRule } from './compile.ts';
import { repairJson } from './repair-json.ts';

const names = ['a', 'b', 'c', 'ü', '_links'];
const CARD = 4111111111111111;
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 8 }),
  fc.constant('x@y.zz'),
  fc.constant(CARD),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('any')),
  ),
})).any;
const object = fc.dictionary(fc.constantFrom(...names), value);
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'ü', '_links', '*', '**', '[]'), { minLength: 1, maxLength: 4 })
  .map((steps) => steps.map((step, at) => (step === '[]' || at === 0 ? step : `.${step}`)).join(''));
const paths = fc.array(path, { maxLength: 3 });
const rules: fc.Arbitrary<ResponseRule> = fc.record({
  select: paths,
  drop: paths,
  redact: fc.array(fc.oneof(path, fc.constantFrom('@email', '@card')), { maxLength: 2 }),
  max_items: fc.dictionary(path, fc.integer({ min: 1, max: 3 }), { maxKeys: 2 }),
  max_tokens: fc.option(fc.integer({ min: 1, max: 40 }), { nil: null }),
});

type Place = (string | null)[];

function matches(steps: ResponsePath, place: Place): boolean {
  const [step, ...rest] = steps;
  if (!step) return place.length === 0;
  if (step.kind === 'deep') return matches(rest, place) || (place.length > 0 && matches(steps, place.slice(1)));
  if (place.length === 0) return false;
  const [name] = place;
  const isStep = step.kind === 'item' ? name === null : name !== null && (step.kind === 'any' || step.name === name);
  return isStep && matches(rest, place.slice(1));
}

const parsed = (texts: readonly string[] = []) =>
  texts.filter((text) => !text.startsWith('@')).map((text) => parsePath(text) as ResponsePath);
/** Whether something of this kind at `place` may lead to what a path names. */
const mayLead = (all: ResponsePath[], place: Place, kind: 'list' | 'object') =>
  all.some((steps) =>
    prefixes(steps, place).some((rest) =>
      (kind === 'list' ? ['item', 'deep'] : ['member', 'any', 'deep']).includes(rest[0]?.kind ?? ''),
    ),
  );
function prefixes(steps: ResponsePath, place: Place): ResponsePath[] {
  const [step, ...rest] = steps;
  if (!step) return place.length === 0 ? [[]] : [];
  const skipped = step.kind === 'deep' ? prefixes(rest, place) : [];
  if (place.length === 0) return [steps, ...skipped];
  const [name] = place;
  if (step.kind === 'deep') return [...skipped, ...prefixes(steps, place.slice(1))];
  const isStep = step.kind === 'item' ? name === null : name !== null && (step.kind === 'any' || step.name === name);
  return isStep ? prefixes(rest, place.slice(1)) : [];
}

/** The same as the rules say, without a budget. Undefined: it is not kept. */
function plainly(given: unknown, rule: ResponseRule, place: Place = [], was_selected = !rule.select?.length): unknown {
  const isAt = (texts: readonly string[] | undefined) =>
    place.length > 0 && parsed(texts).some((steps) => matches(steps, place));
  const is_selected = was_selected || parsed(rule.select).some((steps) => matches(steps, place));
  if (isAt(rule.drop)) return undefined;
  const kind = Array.isArray(given) ? 'list' : typeof given === 'object' && given !== null ? 'object' : null;
  if (!is_selected && (kind === null || !mayLead(parsed(rule.select), place, kind)))
    return place.length > 0 ? undefined : kind === 'list' ? [] : kind === 'object' ? {} : null;
  if (isAt(rule.redact)) return '[redacted]';
  if (Array.isArray(given)) {
    const most = Math.min(
      ...Object.entries(rule.max_items ?? {})
        .filter(([text]) => parsed([text]).some((steps) => matches(steps, place)))
        .map(([, count]) => count),
    );
    return given
      .map((item) => plainly(item, rule, [...place, null], is_selected))
      .filter((item) => item !== undefined)
      .slice(0, most);
  }
  if (kind === 'object')
    return Object.fromEntries(
      Object.entries(given as object)
        .map(([name, member]) => [name, plainly(member, rule, [...place, name], is_selected)])
        .filter(([, member]) => member !== undefined),
    );
  if (given === CARD && rule.redact?.includes('@card')) return '[redacted]';
  return typeof given === 'string' && rule.redact?.includes('@email') ? given.replace('x@y.zz', '[redacted]') : given;
}

test('random documents are shaped as the rules say, and the result is JSON within the budget', () => {
  fc.assert(
    fc.property(fc.oneof(object, value), rules, (document, rule) => {
      const { max_tokens: _, ...whole } = rule;
      const text = JSON.stringify(document);
      assert.deepEqual(shapedValue(text, whole), plainly(document, whole) ?? null);
      const shaped = shape(text, rule) as { kind: string; text: string };
      if (shaped.kind === 'too_large') return;
      JSON.parse(shaped.text);
      if (rule.max_tokens) assert.ok(Buffer.byteLength(shaped.text) <= rule.max_tokens * 4);
    }),
    { numRuns: 2_000 },
  );
});

/** The tightest schema that the document has. */
function schemaOf(given: unknown): any {
  if (Array.isArray(given)) {
    const items = given.map(schemaOf);
    return {
      type: 'array',
      minItems: given.length,
      maxItems: given.length,
      items: items.length === 0 ? true : { oneOf: uniqueOf(items) },
    };
  }
  if (typeof given === 'object' && given !== null) {
    const properties = Object.fromEntries(Object.entries(given).map(([name, member]) => [name, schemaOf(member)]));
    const required = Object.keys(given);
    return { type: 'object', properties, required, minProperties: required.length, additionalProperties: false };
  }
  return { const: given, ...(typeof given === 'string' ? { minLength: given.length, maxLength: given.length } : {}) };
}
const uniqueOf = (schemas: unknown[]) => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];

test('what is left of a document is valid for the projected schema, whatever is cut', () => {
  fc.assert(
    fc.property(object, rules, (document, rule) => {
      const shaped = shape(document, rule) as { kind: string; text: string };
      if (shaped.kind === 'too_large') return;
      const schema = projectOutput(schemaOf(document), rule);
      assert.equal(schema.type, 'object');
      const code = generateCode(schema, 'first');
      assert.ok('code' in code, JSON.stringify(code));
      const problems = instantiate(code.code)(JSON.parse(shaped.text));
      assert.equal(problems, null, JSON.stringify({ problems, schema, text: shaped.text }));
    }),
    { numRuns: 1_000 },
  );
});

test('the beginning of any JSON is repaired to JSON that has no more than it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (text, at) => {
      const bytes = bytesOf(text);
      const repaired = repairJson(bytes.slice(0, at % (bytes.length + 1)));
      if (repaired === null) return;
      JSON.parse(textOf(repaired.json));
      assert.equal(
        textOf(repaired.json).includes('\ufffd'),
        text.includes('\ufffd') && textOf(repaired.json).includes('\ufffd'),
      );
    }),
    { numRuns: 2_000 },
  );
});
