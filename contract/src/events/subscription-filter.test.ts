import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesFilters } from './subscription-filter.ts';

const cases: [filters: string[], type: string, expected: boolean][] = [
  [['*'], 'api_key.created', true],
  [['*'], 'ping', true],
  [['api_key.*'], 'api_key.created', true],
  [['api_key.*'], 'assertion_key.created', false],
  [['api_key.created'], 'api_key.created', true],
  [['api_key.created'], 'api_key.deleted', false],
  [['project.deleted', 'api_key.*'], 'api_key.deleted', true],
  [['api_key'], 'api_key.created', false],
  [[], 'api_key.created', false],
];

for (const [filters, type, expected] of cases) {
  test(`a webhook with the filters [${filters}] ${expected ? 'receives' : 'does not receive'} ${type}`, () => {
    assert.equal(matchesFilters(filters, type), expected);
  });
}
