import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeEventTypes } from '../../write-event-types.ts';
import { eventCatalogue } from './catalogue.ts';
import { eventTypes } from './rules.ts';

test('the generated list of types is that of the catalogue', () => {
  const list = readFileSync(join(import.meta.dirname, 'rules.ts'), 'utf8');
  assert.equal(list, makeEventTypes(), 'Run npm run docs');
});

for (const type of eventTypes) {
  test(`the example of ${type} matches its schema`, () => {
    const { data, example } = eventCatalogue[type];
    assert.deepEqual(data.parse(example), example);
  });
}
