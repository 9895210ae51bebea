// A validation is synchronous: for as long as it runs, nobody else is served. The promise is one of time, so CPU time is
// measured here; whatever else the machine does, does not count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateCode } from './generate-code.ts';
import { instantiate, type Validator } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';

const max_cpu_ms = 100;
/** As long as arguments may be. */
const length = 249_000;

function compile(schema: SchemaObject): Validator {
  const compiled = generateCode(schema);
  assert.ok('code' in compiled, JSON.stringify(compiled));
  return instantiate(compiled.code);
}

function cpuMilliseconds(validate: Validator, value: unknown): number {
  const times = [1, 2].map(() => {
    const before = process.threadCpuUsage();
    validate(value);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const anyOf = (schema: SchemaObject, times = 190) => ({ anyOf: Array.from({ length: times }, () => schema) });
const repeated = (text: string) => Array<string>(Math.floor(length / (text.length + 3))).fill(text);

const formats = [
  ...[
    'date',
    'time',
    'date-time',
    'iso-time',
    'iso-date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
    'url',
  ],
  ...['email', 'hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment'],
  ...['relative-json-pointer', 'byte'],
];

const texts = [
  ...[['t'.repeat(length)], ['\n'.repeat(length)], [`a://${'x'.repeat(length)}"`], ['(?:'.repeat(length / 3)]],
  ...[[`a@${'a.'.repeat(length / 2)}!`], [`P${'1'.repeat(length)}`], [`{${'a,'.repeat(length / 2)}`]],
  ...[repeated('2020-01-01t00:00:60+99'), repeated('('), repeated('1:2:3:4:5:6:7.8.9.1x'), repeated('x')],
];

for (const format of formats)
  test(`format ${format} under 190 alternatives, on 249 KB of anything, takes less than ${max_cpu_ms} ms`, () => {
    for (const validate of [{ items: anyOf({ format }) }, { contains: anyOf({ format }) }].map(compile))
      for (const text of texts) {
        const took = cpuMilliseconds(validate, text);
        assert.ok(took < max_cpu_ms, `${took} ms: ${JSON.stringify(text).slice(0, 40)}`);
      }
  });

test(`no other keyword takes ${max_cpu_ms} ms`, () => {
  const $defs = Object.fromEntries(Array.from({ length: 190 }, (_, i) => [`d${i}`, { type: 'string', minLength: 1 }]));
  const references = { anyOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })) };
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0]));
  const zeros = Array<number>(length / 3).fill(0);
  const objects = Array.from({ length: 500 }, (_, index) => ({ a: index }));
  const branch = (index: number) => ({ anyOf: [{ contains: { const: index + 1 } }, true] });
  const cases: [SchemaObject, unknown][] = [
    [{ contains: references, $defs }, zeros],
    [{ items: { not: references }, $defs }, zeros],
    [{ items: { not: anyOf({ type: ['string', 'null'] }) } }, zeros],
    [{ items: { allOf: Array(190).fill({ minimum: -5, maximum: 5, exclusiveMinimum: -9 }) } }, zeros],
    [{ items: { not: anyOf({ required: ['a', 'b', 'c'] }) } }, Array(length / 3).fill({})],
    [{ items: { not: anyOf({ multipleOf: 0.7 }) } }, Array(40_000).fill(1e300)],
    [{ enum: objects }, names],
    [{ items: { not: { enum: objects } } }, Array(40_000).fill({ a: -1 })],
    [anyOf({ properties: { a: {} }, unevaluatedProperties: false }), names],
    [{ ...anyOf({ patternProperties: { '^q': true } }), unevaluatedProperties: { type: 'integer' } }, names],
    [{ allOf: Array.from({ length: 190 }, (_, i) => branch(i)), unevaluatedItems: { type: 'integer' } }, zeros],
    [{ allOf: Array(190).fill({ maxLength: 300_000 }) }, '😀'.repeat(length / 4)],
    [{ items: { not: anyOf({ pattern: '(?i)zz|[a-f]{3}.\\sx' }) } }, repeated('abcdefabcdef')],
  ];
  for (const [schema, value] of cases) {
    const took = cpuMilliseconds(compile(schema), value);
    assert.ok(took < max_cpu_ms, `${took} ms: ${JSON.stringify(schema).slice(0, 60)}`);
  }
});
