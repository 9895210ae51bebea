// A validation is synchronous: for as long as it runs, nobody else is served. The meter counts work, so these tests count it too;
// how long a unit takes is measured by `npm run bench -- validation`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  expensiveKeywords,
  formatAlternatives,
  formats,
  LENGTH,
  longTexts,
} from '../../../test/fixtures/expensive-schemas.ts';
import { generateCode } from './generate-code.ts';
import { instantiate, tooLarge, type Validator } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import { startWork, work } from './work-meter.ts';

function compile(schema: SchemaObject): Validator {
  const compiled = generateCode(schema);
  assert.ok('code' in compiled, JSON.stringify(compiled));
  return instantiate(compiled.code);
}

function unitsSpent(validate: Validator, value: unknown): number {
  startWork();
  const budget = work.left;
  validate(value);
  return budget - work.left;
}

for (const format of formats) {
  test(`format ${format} is charged for the whole text, whether it matches or not`, () => {
    const validate = compile({ format });
    for (const text of longTexts) {
      const units = unitsSpent(validate, text);
      assert.ok(units >= LENGTH, `${units} units for ${text.slice(0, 10)}…`);
    }
  });

  test(`a long text that 190 alternatives of format ${format} refuse is too large to be checked`, () => {
    const wrong = longTexts.filter((text) => compile({ format })(text) !== null);
    assert.ok(wrong.length > 0);
    for (const text of wrong) assert.equal(compile(formatAlternatives(format))([text]), tooLarge);
  });
}

for (const { name, schema, value } of expensiveKeywords)
  test(`${name}: a value that takes millions of steps is too large to be checked`, () => {
    assert.equal(compile(schema)(value), tooLarge);
  });
