// Whatever a document describes: an operation becomes a definition that may be saved, or is skipped with a reason.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import fc from 'fast-check';
import { useSeed } from '../../../../test/support/property-seed.ts';
import { checkSchema } from '../catalogue/check-schema.ts';
import { checkDefinition } from '../catalogue/definition.ts';
import { splitHeaders } from '../expansion/expand-headers.ts';
import { definitionFrom, selectOperations } from './read-document.ts';
import { NotATool, startOperation, startReading } from './references.ts';
import { outputSchemaOf } from './response-schema.ts';

useSeed();

const name = fc.constantFrom(
  'id',
  'a-b',
  'a_b',
  '2nd',
  'X-Tenant',
  'x',
  'é',
  'a b',
  'filter[a]',
  'constructor',
  'limit',
);
const type = fc.constantFrom('string', 'integer', 'array', 'object', 'boolean');
const leaf = fc.record({ type, nullable: fc.boolean() }, { requiredKeys: ['type'] });
const reference = fc.constantFrom('A', 'B', 'C').map((to) => ({ $ref: `#/components/schemas/${to}` }));
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    reference,
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.array(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: [] },
    ),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
  ),
}));
const parameter = fc.record(
  {
    name,
    in: fc.constantFrom('path', 'query', 'header', 'cookie'),
    required: fc.boolean(),
    schema,
    explode: fc.boolean(),
    style: fc.constantFrom('form', 'simple', 'deepObject'),
  },
  { requiredKeys: ['name', 'in', 'schema'] },
);
const operation = fc.record(
  {
    parameters: fc.array(parameter, { maxLength: 5 }),
    requestBody: schema.map((each) => ({ content: { 'application/json': { schema: each } } })),
    responses: schema.map((each) => ({ 200: { content: { 'application/json': { schema: each } } } })),
  },
  { requiredKeys: [] },
);
const path = fc.array(fc.constantFrom('/a', '/{id}', '/{a-b}', '/{2nd}', '/{x}'), { minLength: 1, maxLength: 4 });
const pathParameters = ['id', 'a-b', '2nd', 'x'].map((name) => ({ name, in: 'path', required: true }));
const given = fc.record({
  path: path.map((parts) => parts.join('')),
  method: fc.constantFrom('get', 'post', 'put', 'delete'),
  operation,
  schemas: fc.record({ A: schema, B: schema, C: schema }),
});

test('an operation is a definition that may be saved, whose placeholders are its arguments, or no tool', () => {
  let saved = 0;
  fc.assert(
    fc.property(given, ({ path, method, operation, schemas }) => {
      const item = { parameters: pathParameters, [method]: operation };
      const document = { openapi: '3.0.3', paths: { [path]: item }, components: { schemas } };
      const [selected] = selectOperations(document, { exclude: [] }).selected;
      assert.ok(selected);
      try {
        const made = definitionFrom(startReading(document), selected, { base_url: 'https://api.example.com' });
        const { input_schema, endpoint_path, headers } = made;
        checkDefinition({ egress_allow: [] }, made, { exists: false, text: null });
        const properties = Object.keys(input_schema.properties as object);
        for (const used of compileTemplate(endpoint_path).names) assert.ok(properties.includes(used));
        assert.deepEqual(splitHeaders(headers, input_schema).fixed, {});
        for (const needed of (input_schema.required ?? []) as string[]) assert.ok(properties.includes(needed));
        saved += 1;
      } catch (error) {
        if (!(error instanceof NotATool)) throw error;
      }
    }),
    { numRuns: 1_000 },
  );
  assert.ok(saved > 100, `only ${saved} became tools`);
});

test('a response is an output_schema that may be saved, or none', () => {
  let made = 0;
  fc.assert(
    fc.property(given, ({ operation, schemas }) => {
      const reading = startReading({ components: { schemas } });
      startOperation(reading);
      const output = outputSchemaOf(reading, operation);
      if (!output) return;
      made += 1;
      assert.equal(checkSchema(output, 'output'), null);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(made > 100, `only ${made} were made`);
});
