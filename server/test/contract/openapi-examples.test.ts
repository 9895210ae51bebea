// The API document explains itself: every operation and property has a description, every body and answer an example that a
// real server gave, and nothing is described that does not exist.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventTypes } from '@toolgate/contract/events/rules.ts';
import { timestampFormat } from '@toolgate/contract/fields.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { startServer } from '../support/servers/start-server.ts';

type Schema = { [keyword: string]: any };
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown } | { $ref: string }> };
type Body = { $ref?: string; content?: Record<string, Media> };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: (Schema & { name: string })[];
  requestBody?: Body;
  responses: Record<string, Body>;
};

const HOW_TO_RECORD =
  'call it in server/test/api-examples/ (record-all.ts lists the files), then run npm run docs:examples';

const server = await startServer();
const document: Schema = (await server.api('GET', '/openapi.json')).body;
const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((path) => Object.values(path));
const webhooks = Object.values<{ post: Operation }>(document.webhooks).map(({ post }) => post);

function resolve<T extends Schema>(given: T): T {
  if (typeof given.$ref !== 'string') return given;
  return given.$ref
    .slice(2)
    .split('/')
    .reduce((at, step) => at[step], document) as T;
}

/** Every request and response body with its schema. */
function mediaOf({ operationId, requestBody, responses }: Operation) {
  const bodies = [
    { name: `${operationId} request`, body: requestBody ?? {} },
    ...Object.entries(responses).map(([status, body]) => ({ name: `${operationId} ${status}`, body })),
  ];
  return bodies.flatMap(({ name, body }) =>
    Object.entries(resolve(body).content ?? {}).map(([type, media]) => ({ name: `${name} ${type}`, media })),
  );
}

const examplesOf = ({ example, examples = {} }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map((each) => resolve<Schema>(each).value),
];

test('every request body and every answer has an example', () => {
  const missing = operations
    .flatMap(mediaOf)
    .filter(({ media }) => examplesOf(media).length === 0)
    .map(({ name }) => name);
  assert.deepEqual(missing, [], `these have no example: ${HOW_TO_RECORD}`);
});

test('every example is valid by its own schema', () => {
  // To optimize the code of a schema takes longer than the few examples that it validates.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const all = [...operations, ...webhooks].flatMap(mediaOf);
  const wrong = all.flatMap(({ name, media }) => {
    // References begin at the document.
    const text = JSON.stringify(media.schema ?? {}).replaceAll('"#/', '"document#/');
    // Most errors of most operations have the same schema.
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return examplesOf(media).flatMap((example) =>
      validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`],
    );
  });
  assert.ok(all.length > 500);
  assert.deepEqual(wrong, [], 'change the schema or record the examples again: npm run docs:examples');
});

test('every operation says in a sentence what it does, not only who may call it', () => {
  const bare = operations.filter(({ description = '' }) => {
    const [first = ''] = description.split(/\n\n(?=For (?:any|API keys))|^For (?:any|API keys)/);
    return first.length < 40 || !first.endsWith('.');
  });
  const names = bare.map(({ operationId }) => operationId);
  assert.deepEqual(names, [], 'add a description to the schema of the route: what it does, and what can go wrong');
});

/** The paths of properties without a description below a schema. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, example: _, examples: __, default: ___, ...rest } = schema as Schema;
  const own = Object.entries<Schema>(properties).flatMap(([name, property]) => {
    const description = property.description ?? resolve(property).description;
    // For a reference the resource itself is described by its properties.
    const isDescribed = '$ref' in property || (description && description !== timestampFormat);
    return [...(isDescribed ? [] : [`${path}.${name}`]), ...undescribed(property, `${path}.${name}`)];
  });
  return [...own, ...Object.entries(rest).flatMap(([keyword, part]) => undescribed(part, `${path}/${keyword}`))];
}

test('every property and every parameter says what it is', () => {
  const missing = [
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => undescribed(schema, name)),
    ...[...operations, ...webhooks].flatMap((operation) => [
      ...mediaOf(operation).flatMap(({ name, media }) => undescribed(media.schema, name)),
      ...(operation.parameters ?? [])
        .map((parameter) => resolve(parameter))
        .filter(({ description }) => !description)
        .map(({ name }) => `${operation.operationId} parameter ${name}`),
    ]),
  ];
  assert.deepEqual(missing, [], "add .meta({ description: '…' }) to these fields");
});

test('every tag has an operation, and every schema, example and response is used', () => {
  const used = new Set([...operations, ...webhooks].flatMap(({ tags }) => tags));
  const unused = document.tags.map(({ name }: Schema) => name).filter((name: string) => !used.has(name));
  assert.deepEqual(unused, [], 'these tags describe something that does not exist');
  const text = JSON.stringify(document);
  for (const kind of ['schemas', 'responses', 'examples', 'headers', 'parameters'])
    for (const name of Object.keys(document.components[kind]))
      assert.ok(text.includes(`"#/components/${kind}/${name}"`), `nothing refers to ${kind}/${name}`);
});

test('an event type is in the document if and only if something records it', () => {
  const source = join(import.meta.dirname, '../../src');
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/(\.test|events)\.ts$/.test(file));
  const code = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
  const recorded = eventTypes.filter((type) => code.includes(`'${type}'`));
  const hint = 'remove a type that nothing records from the contract';
  assert.deepEqual(Object.keys(document.webhooks).sort(), recorded.sort(), hint);
  const { schema } = document.paths['/api/v1/projects/{project_id}/events'].get.parameters.find(
    ({ name }: Schema) => name === 'type',
  );
  assert.deepEqual([...schema.enum].sort(), recorded);
});
