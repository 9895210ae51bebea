import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generateCode } from './generate-code.ts';
import { type CompiledValidator, instantiate } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const properties = (count: number, property: (i: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${i}`, property(i)]));

const schemas: Record<string, (n: number) => SchemaObject> = {
  'few properties': (n) => ({ type: 'object', properties: { [`a${n}`]: { type: 'string' } }, required: ['b'] }),
  'sixty properties': (n) => ({
    type: 'object',
    properties: properties(60, () => ({ minimum: n, maximum: 999 })),
  }),
  'long patterns': (n) => ({ properties: properties(3, () => ({ type: 'string', pattern: `^[a-z]{1,500}x${n}$` })) }),
  'a long enum': (n) => ({
    properties: { field_0: { enum: Array.from({ length: 500 }, (_, i) => `value ${n} ${i}`) } },
  }),
};

for (const [what, schema] of Object.entries(schemas)) {
  test(`the validator of a schema with ${what} takes no more memory than it is counted as`, () => {
    const compiled = Array.from({ length: 30 }, (_, n) => {
      const result = generateCode(schema(n));
      assert.ok('code' in result);
      return result;
    });
    const value = properties(200, () => 'abc');
    const validators: CompiledValidator[] = [];
    const before = heapUsed();
    for (const { code, pattern_instructions } of compiled) {
      const validate = instantiate(code, pattern_instructions);
      validate(value);
      validate({});
      validators.push(validate);
    }
    const taken = heapUsed() - before;
    const counted = validators.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(taken < counted, `${taken} bytes taken, ${counted} counted`);
  });
}

function heapUsed(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
