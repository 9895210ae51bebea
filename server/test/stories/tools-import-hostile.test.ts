// Documents that were made to do harm: each is refused or read in part, in bounded time and memory, and the server goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const head = 'openapi: 3.1.0\nservers: [{url: https://shop.example.com}]\n';
const fine = '  /fine: {get: {operationId: fine}}\n';

async function importText(document: string | object) {
  const { keys } = await makeTenant(server);
  const response = await server.api('POST', '/custom-tools/import', { key: keys.write, body: { document } });
  const { data } = expectResponse(await server.api('GET', '/custom-tools', { key: keys.read }), 200);
  return { response, tools: data as any[] };
}

async function refused(document: string): Promise<string> {
  const { response, tools } = await importText(document);
  const { details } = expectResponse(response, 422).error;
  assert.match(details.field, /^document/);
  assert.deepEqual(tools, []);
  return details.problems[0].message;
}

/** Answers why the other operations are skipped: `fine` is always made. */
async function skipped(document: string | object): Promise<string[]> {
  const { response, tools } = await importText(document);
  const { created, skipped } = expectResponse(response, 201);
  assert.ok(created.some(({ name }: any) => name === 'fine'));
  assert.equal(tools.length, created.length);
  return skipped.map(({ reason }: any) => reason);
}

/** Ten times ten times ten …: 10^12 strings from half a kilobyte. */
const laughs = (first: string) =>
  Array.from({ length: 12 }, (_, level) => `x${level}: &l${level} ${level === 0 ? first : many(level - 1)}\n`).join('');
const many = (level: number) => `{${Array.from({ length: 10 }, (_, i) => `p${i}: *l${level}`).join(', ')}}`;

test('YAML whose aliases multiply is read where it is used only, and up to a bound', { timeout: 60_000 }, async () => {
  const body = '{post: {operationId: a, requestBody: {content: {application/json: {schema: {properties: *l11}}}}}}';
  const response = '{get: {operationId: b, responses: {200: {content: {application/json: {schema: *l11}}}}}}';
  const text = `${head}${laughs('{type: string}')}paths:\n${fine}  /a: ${body}\n  /b: ${response}\n`;
  const { response: imported, tools } = await importText(text);
  assert.deepEqual(expectResponse(imported, 201).skipped, []);
  const { input_schema } = tools.find(({ name }) => name === 'a');
  assert.equal(Object.keys(input_schema.properties).length, 10);
  assert.ok(JSON.stringify(tools).length < 100_000);
});

test('YAML with too many aliases or merged keys is refused', { timeout: 60_000 }, async () => {
  const aliases = `a: &a 1\nb: [${'*a,'.repeat(10_001)}]\n`;
  assert.match(await refused(`${head}paths: {}\n${aliases}`), /not valid YAML/);
  const keys = Array.from({ length: 1_000 }, (_, i) => `k${i}: 1`).join(', ');
  const merges = Array.from({ length: 200 }, (_, i) => `  m${i}: {<<: *a}\n`).join('');
  assert.match(await refused(`${head}paths: {}\na: &a {${keys}}\nb:\n${merges}`), /not valid YAML/);
});

test('YAML that contains itself ends', { timeout: 60_000 }, async () => {
  const operation = 'requestBody: {content: {application/json: {schema: &s {properties: {s: *s}}}}}';
  const response = 'responses: {200: {content: {application/json: {schema: &r {type: object, properties: {r: *r}}}}}}';
  const text = `${head}paths:\n${fine}  /a: {post: {operationId: a, ${operation}}}\n  /b: {get: {operationId: b, ${response}}}\n`;
  assert.deepEqual(await skipped(text), []);
});

test('a document that is nested too deep is refused, in JSON and in YAML', async () => {
  const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
  assert.match(await refused(`${head}paths: {}\nx: ${deep('[', ']', 5_000)}`), /not valid YAML/);
  const { response } = await importText({ openapi: '3.1.0', paths: {}, x: JSON.parse(deep('[', ']', 200)) });
  expectResponse(response, 422);
});

test('members that would reach a prototype change no object and make no tool', async () => {
  const body = (schema: string) => `requestBody: {content: {application/json: {schema: ${schema}}}}`;
  const text = `${head}paths:
${fine}  /a: {post: {operationId: a, ${body('{properties: {__proto__: {type: string}}}')}}}
  /b: {post: {operationId: b, ${body('{properties: {x: {properties: {__proto__: {polluted: true}}}}}')}}}
  /c: {get: {operationId: c, parameters: [{name: __proto__, in: query}]}}
  /d: {post: {operationId: d, ${body("{$ref: '#/constructor/prototype'}")}}}
  /e: {post: {operationId: e, ${body("{properties: {x: {$ref: '#/x-s/__proto__'}}}")}}}
  /f: {post: {operationId: __proto__, ${body('{properties: {constructor: {type: string}, toString: {}}}')}}}
x-s: {__proto__: {type: string}}
`;
  const { response } = await importText(text);
  const { created, skipped } = expectResponse(response, 201);
  assert.deepEqual(
    skipped.map(({ operation }: any) => operation),
    ['POST /a', 'POST /b', 'GET /c', 'POST /d'],
  );
  assert.deepEqual(
    created.map(({ name }: any) => name),
    ['fine', 'e', 'proto'],
  );
  assert.equal(({} as any).polluted, undefined);
  const json = `{"openapi":"3.1.0","paths":{"__proto__":{"get":{}}}}`;
  assert.match(await refused(json), /prototype/);
});

test('security schemes and responses of any shape fail no import', async () => {
  const odd = [null, 1, 'x', [], {}, { type: 1 }, { type: 'apiKey', in: [], name: {} }, { type: 'oauth2', flows: [] }];
  const securitySchemes = Object.fromEntries(odd.map((scheme, i) => [`s${i}`, scheme]));
  const paths = Object.fromEntries(
    [...odd, [{ s5: 1 }], [{ s1: [] }, null], { 200: { content: { 'application/json': { schema: [] } } } }].map(
      (part, i) => [`/p${i}`, { get: { operationId: `p${i}`, security: part, responses: part, tags: part } }],
    ),
  );
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://shop.example.com' }],
    security: [{ s6: [] }],
    components: { securitySchemes },
    paths: { ...paths, '/fine': { get: { operationId: 'fine' } } },
  };
  assert.deepEqual(await skipped(document), []);
});
