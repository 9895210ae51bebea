import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeDrop } from './propose-drop.ts';

const proposed = (schema: object) => proposeDrop({ type: 'object', ...schema });

test('links, avatars, nulls and audit fields are proposed, those that save most first', () => {
  const item = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      avatar_url: { type: 'string', format: 'uri' },
      html_url: { type: 'string', example: 'https://example.com/1' },
      legacy: { type: 'null' },
      updated_at: { type: 'string', format: 'date-time' },
      status: { type: 'string' },
      _links: { type: 'object', properties: { self: { type: 'string', format: 'uri' } } },
    },
  };
  const found = proposed({
    properties: { items: { type: 'array', items: { $ref: '#/$defs/item' } }, url: {} },
    $defs: { item },
  });
  assert.deepEqual(
    found.map(({ path, reason }) => [path, reason]),
    [
      ['items[]._links', 'link'],
      ['items[].avatar_url', 'avatar'],
      ['items[].updated_at', 'audit'],
      ['items[].html_url', 'link'],
      ['items[].legacy', 'null'],
      ['url', 'link'],
    ],
  );
  assert.ok(
    found.every(({ tokens }, at) => tokens > 0 && tokens <= (found[at - 1]?.tokens ?? Number.POSITIVE_INFINITY)),
  );
});

test('a type or a format that is no text counts as unknown', () => {
  const [text] = proposed({ properties: { url: { type: 'string' } } });
  for (const odd of [{ toString: 'x' }, {}, 'constructor', '__proto__'])
    assert.deepEqual(proposed({ properties: { url: { type: odd, format: odd } } }), [text]);
});

test('a schema that refers to itself, or has none of them, is no problem', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, self: { type: 'string' } } };
  assert.ok(proposed({ properties: { node: { $ref: '#/$defs/node' } }, $defs: { node } }).length > 0);
  assert.deepEqual(proposed({ properties: { id: {}, name: {} } }), []);
  assert.deepEqual(proposeDrop(null), []);
});
