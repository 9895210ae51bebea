import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInvalidMirror } from './mirrored-headers.ts';

const schemaOf = (properties: object) => ({ type: 'object', properties });

test('a schema whose arguments cannot be mirrored in headers is found', () => {
  const valid = {
    a: { type: 'string', 'x-mcp-header': 'A' },
    b: schemaOf({ c: { type: 'boolean', 'x-mcp-header': 'C' } }),
  };
  assert.equal(findInvalidMirror(schemaOf(valid)), null);
  const at = 'properties.d.x-mcp-header';
  for (const header of ['', 'a b', 'a:b', 'é', 'A', 'a', 7])
    assert.equal(findInvalidMirror(schemaOf({ ...valid, d: { type: 'string', 'x-mcp-header': header } })), at);
  for (const type of ['object', 'array', 'number', 'null', undefined])
    assert.equal(findInvalidMirror(schemaOf({ ...valid, d: { type, 'x-mcp-header': 'D' } })), at);
  const nested = schemaOf({ b: schemaOf({ d: { type: 'string', 'x-mcp-header': '' } }) });
  assert.equal(findInvalidMirror(nested), 'properties.b.properties.d.x-mcp-header');
});
