import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventCatalogue } from './catalogue.ts';
import { eventTypes } from './rules.ts';

test('there is every type of the API, and no other', () => {
  const kinds = {
    api_key: ['created', 'updated', 'rotated', 'revoked', 'expired', 'deleted'],
    assertion_key: ['created', 'deactivated', 'deleted'],
    custom_tool: ['created', 'updated', 'enabled', 'disabled', 'deleted'],
    toolset: ['created', 'updated', 'deleted'],
    mcp_server: ['changed', 'unreachable', 'recovered'],
    integration: ['created', 'updated', 'deleted'],
    member_session: ['created', 'revoked'],
    oauth_provider: ['created', 'updated', 'deleted'],
    oauth_connection: ['created', 'refresh_failed', 'revoked'],
    tool_call: ['succeeded', 'failed'],
    rate_limit: ['exceeded'],
    limit: ['reached'],
    approval: ['requested', 'approved', 'declined', 'expired'],
    webhook: ['disabled'],
    log_stream: ['disabled'],
    project: ['created', 'updated', 'deleted'],
  };
  const expected = Object.entries(kinds).flatMap(([thing, verbs]) => verbs.map((verb) => `${thing}.${verb}`));
  assert.deepEqual([...eventTypes].sort(), [...expected, 'ping'].sort());
});

test('the catalogue describes every type, in the same order, and no other', () => {
  assert.deepEqual(Object.keys(eventCatalogue), eventTypes);
});

for (const type of eventTypes) {
  test(`the example of ${type} matches its schema`, () => {
    const { data, example } = eventCatalogue[type];
    assert.deepEqual(data.parse(example), example);
  });
}
