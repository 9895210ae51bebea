import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeEventTypes } from '../write-event-types.ts';
import { eventTypes } from './events/rules.ts';
import { eventKinds } from './resources.ts';

test('the generated list of types is that of the resources', () => {
  const list = readFileSync(join(import.meta.dirname, 'events/rules.ts'), 'utf8');
  assert.equal(list, makeEventTypes(), 'Run npm run docs');
});

for (const type of eventTypes) {
  test(`the example of ${type} matches its schema`, () => {
    const { data, example } = eventKinds[type];
    assert.deepEqual(data.parse(example), example);
  });
}
