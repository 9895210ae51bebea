// toolgate export and apply keep what decides about results: response, fixed arguments, hints and weights of tools.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient } from './run-toolgate.ts';

const server = await startServer();
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-results-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Names with dots, backslashes and words that YAML could read as something else. */
const shaped = {
  name: 'shaped',
  base_url: 'https://api.acme.example',
  endpoint_path: '/orders',
  method: 'GET',
  weight: 7,
  annotations: { readOnlyHint: true, destructiveHint: false },
  input_schema: {
    type: 'object',
    properties: { locale: { type: 'string' }, on: {}, cursor: { type: 'string' }, filter: { type: 'object' } },
  },
  fixed_arguments: { locale: 'no', on: '007', filter: { deep: [null, 1.5, true, { 'a.b': '~' }] } },
  response: {
    select: ['items', 'meta\\.total', 'data.**.id'],
    drop: ['**._links', 'items[].*.null'],
    max_items: { items: 50, '.': 100 },
    redact: ['@email', '\\@handle', 'items[].phone'],
    max_tokens: 5000,
    next_page: { cursor: 'meta.next', argument: 'cursor' },
  },
};
const form = {
  name: 'form',
  base_url: 'https://api.acme.example',
  endpoint_path: '/form',
  input_schema: { type: 'object', properties: { tags: { type: 'array' } } },
  body_format: 'form',
  body_encoding: { tags: { style: 'brackets' } },
};
const raw = {
  ...form,
  name: 'raw',
  body_format: 'raw',
  body_encoding: {},
  body_argument: 'tags',
  body_content_type: 'text/csv',
};
const multipart = {
  ...form,
  name: 'multipart',
  input_schema: {
    type: 'object',
    properties: { report: { type: 'string', format: 'file', description: 'A PDF' }, tags: { type: 'array' } },
    required: ['report'],
  },
  body_format: 'multipart',
  body_encoding: { report: { content_type: 'application/pdf' } },
};
const plain = { name: 'plain', base_url: 'https://api.acme.example', endpoint_path: '/plain' };

test('a round trip of response, fixed arguments, hints, body formats, file arguments and weight changes nothing, and a second project gets the same', async () => {
  const [source, target] = [await makeTenant(server), await makeTenant(server)];
  for (const body of [shaped, plain, form, raw, multipart])
    expectResponse(await server.api('POST', '/custom-tools', { key: source.keys.write, body }), 201);
  const tools = async ({ keys }: typeof source) => {
    const { data } = expectResponse(await server.api('GET', '/custom-tools', { key: keys.admin }), 200);
    return new Map<string, any>(data.map((tool: any) => [tool.name, tool]));
  };
  const client = createClient(server.url, source.keys.admin);
  const file = join(folder, 'tools.yaml');
  const exported = await client.run(['export', file]);
  assert.equal(exported.code, 0, exported.stderr);
  const before = await tools(source);
  assert.deepEqual((await client.json(['apply', file])).changes, []);
  assert.deepEqual(await tools(source), before);

  const other = createClient(server.url, target.keys.admin);
  await other.json(['apply', file]);
  const made = await tools(target);
  for (const [name, tool] of before) {
    const { definition_hash, weight, version } = made.get(name);
    assert.deepEqual([definition_hash, weight, version], [tool.definition_hash, tool.weight, 1], name);
  }
  assert.deepEqual(made.get('shaped').response, shaped.response);
  assert.deepEqual(made.get('shaped').fixed_arguments, shaped.fixed_arguments);
  assert.deepEqual((await other.json(['apply', file])).changes, []);

  // What a file takes back is taken back.
  const content = parse(readFileSync(file, 'utf8'));
  const entry = content.tools.find((tool: { name: string }) => tool.name === 'shaped');
  Object.assign(entry, { response: null, fixed_arguments: {}, weight: 1 });
  writeFileSync(file, stringify(content));
  await other.json(['apply', file]);
  const { response, fixed_arguments, weight } = (await tools(target)).get('shaped');
  assert.deepEqual([response, fixed_arguments, weight], [null, {}, 1]);
});
