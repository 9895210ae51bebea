import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from './check-schema.ts';

const object = (rest: object = {}) => ({ type: 'object', ...rest });

function accepted(schema: unknown, kind: 'input' | 'output' = 'input'): void {
  assert.deepEqual(checkSchema(schema, kind), null);
}

function refused(schema: unknown, field: string, kind: 'input' | 'output' = 'input'): void {
  assert.equal(checkSchema(schema, kind)?.field, field, JSON.stringify(schema)?.slice(0, 200));
}

const properties = (count: number, value: object = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));

test('schemas as people and generators write them are accepted', () => {
  accepted(object());
  accepted({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.com/tool.json',
    type: 'object',
    title: 'Search',
    additionalProperties: false,
    required: ['query'],
    properties: {
      query: { type: 'string', description: 'what to look for', example: 'shoes', nullable: true, 'x-order': 1 },
      id: { type: 'string', format: 'made-up-format' },
      kind: { $ref: '#/definitions/kind' },
    },
    definitions: { kind: { enum: Array.from({ length: 500 }, (_, index) => `kind ${index}`) } },
  });
  accepted(object({ $schema: 'https://json-schema.org/draft/2020-12/schema' }));
  accepted(object({ properties: { tree: { $ref: '#' }, 'a/b': { items: { $ref: '#/properties/a~1b' } } } }));
});

test('a schema that is not an object schema at its root is refused, since MCP clients refuse the whole list over it', () => {
  for (const schema of [null, true, [], 'object', 5, undefined]) refused(schema, '');
  refused({}, 'type');
  refused({ type: ['object'] }, 'type');
  refused({ type: 'array' }, 'type', 'output');
  accepted(object({ properties: { a: true, b: false } }));
});

test('a schema over a limit is refused', () => {
  refused(object({ description: 'x'.repeat(65_536) }), '');
  accepted(object({ properties: properties(200) }));
  refused(object({ properties: properties(201) }), 'properties');
  refused(object({ allOf: Array(201).fill({}) }), 'allOf');
  refused(object({ properties: properties(6, { properties: properties(180) }) }), '');
  const nested = (depth: number): object => (depth === 1 ? {} : { items: nested(depth - 1) });
  accepted(object(nested(20)));
  refused(object(nested(21)), Array(20).fill('items').join('.'));
  refused(object({ properties: { list: { uniqueItems: true } } }), 'properties.list.uniqueItems');
  refused(object({ properties: { list: { uniqueItems: true, maxItems: 201 } } }), 'properties.list.uniqueItems');
  accepted(object({ properties: { list: { uniqueItems: true, maxItems: 200 } } }));
});

test('text that could not be stored is refused', () => {
  refused(object({ title: 'a\0b' }), '');
  refused(object({ properties: { 'a\ud800': {} } }), '');
});

test('a reference leads only to a schema in the same schema', () => {
  const refs = [
    ...[
      'https://evil.example/schema.json',
      'other.json#/a',
      '//evil.example/x',
      'file:///etc/passwd',
      '#/$defs/missing',
    ],
    ...[
      '#name',
      '',
      '#/',
      '#/%',
      '#/properties',
      '#/properties/a/enum/0',
      '#/__proto__',
      '#/constructor',
      '#/examples/0',
    ],
  ];
  for (const $ref of refs)
    refused(object({ examples: [{}], properties: { a: { enum: [{}] }, b: { $ref } } }), 'properties.b.$ref');
  for (const keyword of ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$async'])
    refused(object({ properties: { a: { [keyword]: '#a' } } }), `properties.a.${keyword}`);
  refused(object({ properties: { a: { $id: 'https://evil.example/' } } }), 'properties.a.$id');
});

test('another dialect is refused by name', () => {
  for (const $schema of ['http://json-schema.org/draft-04/schema#', 'https://evil.example/schema', 5, ''])
    refused(object({ $schema }), '$schema');
});

test('an input schema cannot declare a reserved variable, in any letter case, wherever it speaks of the arguments', () => {
  const reserved = { properties: { member_id: {} } };
  refused(object(reserved), 'properties.member_id');
  refused(object({ properties: { Project_ID: {} } }), 'properties.Project_ID');
  refused(object({ required: ['a', 'INTEGRATION_ID'] }), 'required');
  refused(object({ patternProperties: { '^member_id$': {} } }), 'patternProperties.^member_id$');
  refused(object({ patternProperties: { '^(?:member_id)$': {} } }), 'patternProperties.^(?:member_id)$');
  refused(object({ dependentRequired: { a: ['member_id'] } }), 'dependentRequired.a');
  refused(object({ dependentRequired: { member_id: ['a'] } }), 'dependentRequired.member_id');
  refused(object({ dependencies: { project_id: {} } }), 'dependencies.project_id');
  refused(object({ dependentSchemas: { a: reserved } }), 'dependentSchemas.a.properties.member_id');
  refused(object({ propertyNames: { enum: ['a', 'member_id'] } }), 'propertyNames');
  refused(object({ propertyNames: { const: 'member_id' } }), 'propertyNames');
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    refused(object({ [keyword]: [{}, reserved] }), `${keyword}.1.properties.member_id`);
  for (const keyword of ['if', 'then', 'else', 'not'])
    refused(object({ [keyword]: reserved }), `${keyword}.properties.member_id`);
  refused(
    object({ allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [reserved] } } }),
    '$defs.a.anyOf.0.properties.member_id',
  );
});

test('a reserved name deeper in the arguments, or in an output schema, is the customer’s own affair', () => {
  accepted(object({ properties: { order: { properties: { member_id: {} }, required: ['project_id'] } } }));
  accepted(object({ $defs: { unused: { properties: { member_id: {} } } } }));
  accepted(object({ patternProperties: { '^[a-z_]+$': {} } }));
  accepted(object({ properties: { member_id: {} } }), 'output');
});
