import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameField } from './field-names.ts';
import { fileArgumentsOf } from './file-arguments.ts';
import { isReserved } from './reserved-variables.ts';

test('a reserved variable is one in any letter case', () => {
  for (const name of ['member_id', 'Project_ID', 'INTEGRATION_ID']) assert.ok(isReserved(name), name);
  for (const name of ['member', 'member_ids', 'memberid', '']) assert.equal(isReserved(name), false, name);
});

test('two names are one field if frameworks read them as one', () => {
  for (const [name, other] of [
    ['a', 'A'],
    ['a[b]', 'a'],
    ['a[]', 'A[b][c]'],
    ['a[\n]', 'a'],
  ] as const)
    assert.ok(isSameField(name, other), name);
  assert.equal(isSameField('a', 'ab'), false);
});

test('a file argument is a property at the top that is a string with the format file or binary', () => {
  const properties = {
    report: { type: 'string', format: 'file' },
    image: { type: 'string', format: 'binary' },
    day: { type: 'string', format: 'date' },
    list: { type: 'array', format: 'file' },
    many: { type: ['string', 'null'], format: 'file' },
    any: true,
    none: null,
  };
  assert.deepEqual(fileArgumentsOf({ properties }), ['report', 'image']);
  for (const empty of [{}, { properties: null }, { properties: 'report' }])
    assert.deepEqual(fileArgumentsOf(empty), []);
});
