import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateCode } from './generate-code.ts';
import { instantiate } from './instantiate.ts';

test('compiled code gets the modules that ajv asks for, and no other', () => {
  for (const name of ['node:fs', 'fs', 'ajv', 'ajv/dist/runtime/uri', '../../../errors.ts', 'constructor', '__proto__'])
    assert.throws(() => instantiate(`module.exports = require(${JSON.stringify(name)})`), /may not use the module/);
  assert.throws(() => instantiate('module.exports = require.resolve("fs")'), TypeError);
  assert.throws(() => instantiate('module.exports = require.cache.x'), TypeError);
});

test('every keyword that needs a module finds it', () => {
  const compiled = generateCode({
    type: 'object',
    properties: { text: { maxLength: 1 }, value: { const: { a: [1] } }, one: { enum: [{ a: 1 }, [2]] } },
  });
  assert.ok('code' in compiled && compiled.code.includes('require('), 'ajv asks for modules');
  const validate = instantiate(compiled.code);
  assert.equal(validate({ text: '😀', value: { a: [1] }, one: [2] }), null);
  assert.equal(validate({ text: 'ab' })?.[0]?.field, 'text');
  assert.equal(validate({ value: { a: [2] } })?.[0]?.field, 'value');
  assert.equal(validate({ one: { a: 2 } })?.[0]?.field, 'one');
});
